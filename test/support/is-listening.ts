import { eventually } from './eventually.js';
import { RawConnection } from './raw-connection.js';

/** An address of this machine that is not 127.0.0.1; on Linux only. */
export const OTHER_LOOPBACK = '127.0.0.2';

/** Whether anything accepts connections on a port of an address. */
export async function isListening(port: number, host?: string): Promise<boolean> {
  try {
    (await RawConnection.open(port, host)).destroy();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return false;
    throw error;
  }
}

/** Resolves as soon as nothing listens on a port any more. */
export async function refusal(port: number): Promise<void> {
  await eventually(async () => !(await isListening(port).catch(() => false)) || undefined);
}
