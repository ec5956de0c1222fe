import { ContainerModule } from 'inversify';
import type { RemotePetCatalogueOptions } from '../../adapters/remote/remote-options.js';
import { RemotePetCatalogue } from '../../adapters/remote/remote-pet-catalogue.js';
import { TOKENS } from '../tokens.js';

/**
 * Binds the catalogue of another animal store. Loading the module opens no connection, so a server may start before the other one.
 *
 * @throws TypeError that names the option that breaks its rule.
 * @example
 * await startServer({ store: remoteModule({ url: 'https://animals.example/v1', apiKey }) });
 */
export function remoteModule(options: RemotePetCatalogueOptions): ContainerModule {
  const catalogue = new RemotePetCatalogue(options);
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.petCatalogue).toConstantValue(catalogue);
  });
}
