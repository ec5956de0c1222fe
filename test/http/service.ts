import type { Child } from '../support/child.js';
import type { ReceivedResponse } from '../support/received-response.js';
import { request as send, requestBytes as bytesOf, type RequestOptions } from '../support/request.js';

/** A running service, as the suite knows it. */
export interface Service {
  readonly port: number;
  /** The path that the interface is mounted at in a larger application: empty, or as `/shop`. */
  readonly mountPath: string;
  /** The path under which the operations are, that of the mount included, without a slash at its end: `/v1`. */
  readonly basePath: string;
  /** Whether the transport hands a target over as it was sent. The Fetch API normalises it: `/a/../b`, `\\`. */
  readonly keepsTargets: boolean;
  /** A key that it accepts. */
  readonly key: string;
  /** Everything that it has logged so far. */
  readonly log: string;
}

/** A service in a process of its own, as the suite knows it. */
export function serviceOf(child: Child, port: number, key: string, keepsTargets = true): Service {
  return {
    port,
    mountPath: '',
    basePath: '/v1',
    key,
    keepsTargets,
    get log() {
      return child.stderr;
    },
  };
}

/** Gives the service that the tests declared with it use; it runs from the first test on. */
export type GetService = () => Service;

export type { RequestOptions };

/** The bytes of a request with the key of the service, unless the options say otherwise. */
export function requestBytes(service: Service, method: string, target: string, options?: RequestOptions): Buffer {
  return bytesOf(method, target, { key: service.key, host: `127.0.0.1:${service.port}`, ...options });
}

/** Sends one such request on its own connection and resolves to its response. The server must send nothing more. */
export async function request(
  service: Service,
  method: string,
  target: string,
  options?: RequestOptions,
): Promise<ReceivedResponse> {
  return send(service.port, method, target, { key: service.key, ...options });
}

/** Sends a GET for this path under the base path. */
export async function get(service: Service, path: string, options?: RequestOptions): Promise<ReceivedResponse> {
  return request(service, 'GET', service.basePath + path, options);
}

/** Sends a GET for this path outside the base path, without a key unless the options say otherwise. */
export async function getBeside(service: Service, path: string, options?: RequestOptions): Promise<ReceivedResponse> {
  return request(service, 'GET', service.mountPath + path, { authorization: null, ...options });
}

/** POSTs this JSON text to the collection of animals. */
export async function post(
  service: Service,
  body: string | Uint8Array,
  options?: RequestOptions,
): Promise<ReceivedResponse> {
  return request(service, 'POST', `${service.basePath}/pets`, { body, ...options });
}
