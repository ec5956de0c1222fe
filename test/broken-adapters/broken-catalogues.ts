import { brokenAdds } from './broken-adds.js';
import { brokenAddManyOnces } from './broken-add-many-onces.js';
import { brokenAddOnces } from './broken-add-onces.js';
import { brokenLists } from './broken-lists.js';
import { brokenRestores } from './broken-restores.js';
import { brokenSignals } from './broken-signals.js';

/** Every broken catalogue. */
export const brokenCatalogues = [
  brokenAdds,
  ...brokenAddOnces,
  brokenAddManyOnces,
  brokenLists,
  ...brokenRestores,
  brokenSignals,
];
