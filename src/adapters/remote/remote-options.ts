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
  /** A `ReadableStream`, or a stream of Node. Without one, the size of the body is bounded by its `Content-Length` only. */
  readonly body?: unknown;
  text(): Promise<string>;
}

/** The options of {@link RemotePetCatalogue}. */
export interface RemotePetCatalogueOptions {
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

const MAX_TIMER_MS = 2 ** 31 - 1;

const BASE_ADDRESS = /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?\/v1$/;

/** The `Authorization` header field carries these texts unchanged. */
const API_KEY = /^[!-~](?:[ -~]*[!-~])?$/;

export type CheckedOptions = {
  readonly [Name in keyof RemotePetCatalogueOptions]-?: NonNullable<RemotePetCatalogueOptions[Name]>;
};

/** @throws TypeError that names the option and its rule, but does not repeat the value. */
export function checkOptions({
  url,
  apiKey,
  fetch = globalFetch,
  deadlineMs = 10_000,
}: RemotePetCatalogueOptions): CheckedOptions {
  if (typeof url !== 'string' || !BASE_ADDRESS.test(url) || !isUrl(url)) {
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

/** Not by `URL.canParse`, which React Native lacks. */
function isUrl(text: string): boolean {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}
