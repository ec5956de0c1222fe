/** The scheme, host and port of a listener, with an IPv6 address in brackets. */
export function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The origin at which this machine reaches a listener. Clients cannot connect to an address that means every interface. */
export function reachableOrigin(origin: string): string {
  return origin.replace(/\/\/(?:0\.0\.0\.0|\[::\]):/, '//127.0.0.1:');
}
