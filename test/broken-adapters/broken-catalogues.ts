import { brokenAdds } from './broken-adds.js';
import { brokenAddManyOnces } from './broken-add-many-onces.js';
import { brokenAddOnces } from './broken-add-onces.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import type { ByFault } from './by-fault.js';
import { brokenLists } from './broken-lists.js';
import { brokenMembers } from './broken-members.js';
import { brokenPages } from './broken-pages.js';
import { brokenRestores } from './broken-restores.js';
import { brokenSignals } from './broken-signals.js';

/** Every broken catalogue, by its fault. */
export const brokenCatalogues: ByFault<() => PetCatalogue> = {
  ...brokenAdds,
  ...brokenAddOnces,
  ...brokenAddManyOnces,
  ...brokenMembers,
  ...brokenLists,
  ...brokenPages,
  ...brokenRestores,
  ...brokenSignals,
};
