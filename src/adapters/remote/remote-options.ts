/** The part of `fetch` that the catalogue uses. Every `fetch` provides it, such as node-fetch and that of React Native. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The part of `RequestInit` that the catalogue passes to `fetch`. */
export interface FetchInit {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly redirect: 'manual';
  /** Must end the request, and the reading of its response, when it is aborted: at the latest when the time is up. */
  readonly signal: AbortSignal;
}

/** The part of `Response` that the catalogue uses. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly bodyUsed?: boolean;
  text(): Promise<string>;
}

/** Which service to call. */
export interface RemoteService {
  /**
   * The base address of the service, whose path ends in `/v1`: `https://animals.example/v1`. http or https, without
   * credentials, query or fragment.
   */
  readonly url: string;
  /** A key that the service accepts: printable ASCII characters. */
  readonly apiKey: string;
  /** Sends the requests. @default the global `fetch` at the time of each request */
  readonly fetch?: Fetch | undefined;
  /** How long one call may take, including its retries, in milliseconds: an integer from 1 to 2^31 − 1. @default 10000 */
  readonly deadlineMs?: number | undefined;
}

/** The default for `deadlineMs`. */
const DEFAULT_DEADLINE_MS = 10_000;
/** The longest time that a timer can take, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const BASE_ADDRESS = /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?\/v1$/;

/** Printable ASCII without blanks around it: the `Authorization` header field carries this unchanged. */
const API_KEY = /^[!-~](?:[ -~]*[!-~])?$/;

/** The checked options of a remote service, with their defaults. */
export type CheckedService = { readonly [Name in keyof RemoteService]-?: NonNullable<RemoteService[Name]> };

/**
 * Checks the options.
 *
 * @throws TypeError that names the option and its rule, but does not repeat the value.
 */
export function checkService({
  url,
  apiKey,
  fetch = globalFetch,
  deadlineMs = DEFAULT_DEADLINE_MS,
}: RemoteService): CheckedService {
  if (!isBaseAddress(url)) {
    throw new TypeError(
      'url must be an http or https URL whose path ends in /v1, without credentials, query and fragment',
    );
  }
  if (typeof apiKey !== 'string' || !API_KEY.test(apiKey)) {
    throw new TypeError('apiKey must be one or more printable ASCII characters, without blanks around them');
  }
  if (typeof fetch !== 'function') throw new TypeError('fetch must be a function');
  if (!Number.isInteger(deadlineMs) || deadlineMs < 1 || deadlineMs > MAX_TIMER_MS) {
    throw new TypeError(`deadlineMs must be an integer from 1 to ${MAX_TIMER_MS}`);
  }
  return { url, apiKey, fetch, deadlineMs };
}

async function globalFetch(url: string, init: FetchInit): Promise<FetchResponse> {
  return fetch(url, init);
}

function isBaseAddress(url: unknown): url is string {
  if (typeof url !== 'string' || !BASE_ADDRESS.test(url)) return false;
  try {
    return Boolean(new URL(url));
  } catch {
    return false;
  }
}
