import { expect } from 'chai';
import { isPetStatus, PET_STATUSES } from '../../src/domain/pet-status.js';

describe('isPetStatus', () => {
  it('knows available, pending and sold', () => {
    expect(PET_STATUSES).to.deep.equal(['available', 'pending', 'sold']);
    for (const status of PET_STATUSES) expect(isPetStatus(status)).to.equal(true);
  });

  it('refuses everything else', () => {
    for (const value of ['Sold', ' sold', '', 'length', '0', 0, null, undefined, ['sold'], Object('sold')]) {
      expect(isPetStatus(value)).to.equal(false);
    }
  });
});
