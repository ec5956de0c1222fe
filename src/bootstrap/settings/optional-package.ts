import { optionalPackages } from '../compiled/manifest.js';
import { ConfigError } from './config-error.js';

/** Rejects with a `ConfigError` that begins with the subject and gives the command to install the package if it is missing. */
export async function importWith<T>(name: string, subject: string, importPart: () => Promise<T>): Promise<T> {
  try {
    return await importPart();
  } catch (error) {
    if (!isMissing(name, error)) throw error;
    throw new ConfigError(
      `${subject} needs the package ${name}: npm install ${name}@${optionalPackages[name] ?? 'latest'}`,
    );
  }
}

function isMissing(name: string, error: unknown): boolean {
  const { code, message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error();
  return code === 'ERR_MODULE_NOT_FOUND' && message.startsWith(`Cannot find package '${name}'`);
}
