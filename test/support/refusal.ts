import { eventually } from './eventually.js';
import { RawConnection } from './raw-connection.js';

/** Resolves as soon as nothing listens on the port any more. */
export async function refusal(port: number): Promise<void> {
  let refused: true | undefined;
  await eventually(() => {
    RawConnection.open(port).then(
      (connection) => connection.destroy(),
      () => (refused = true),
    );
    return refused;
  });
}
