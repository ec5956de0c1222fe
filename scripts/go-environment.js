/**
 * The environment in which tests and checks build programs of Go: with the same flags for all, so that its standard library is
 * compiled once, and without what takes longer than the programs run: C, optimisation and debug data.
 */
export const GO_ENVIRONMENT = {
  CGO_ENABLED: '0',
  GOFLAGS: "-mod=mod '-gcflags=all=-N -l -dwarf=false' -ldflags=-s",
};
