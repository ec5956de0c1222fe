import { expect } from 'chai';
import { errorOfPostgresUrl, hostsOf } from '../../../src/adapters/postgres/hosts.js';

/** Texts in which this password occurs, and which name no servers. */
const MALFORMED = [
  'hunter2',
  'mysql://anna:hunter2@db/animals',
  'postgres://anna:hunter2@db:port/animals',
  'postgres://anna:hunter2@db,db:port/animals',
  'postgres://anna:hunter2@db 1/animals',
  'postgres://anna:5432/hunter2@db/animals',
  'postgres://anna:5432#hunter2@db/animals',
  'postgres://anna:5432?hunter2@db/animals',
  'postgres://anna:hunter2@db/animals?sslrootcert=/nowhere/hunter2.pem',
];

describe('the URL of a PostgreSQL database', () => {
  it('names the hosts, each with the user, the password, the database and the options', () => {
    expect(hostsOf('postgres://anna:s%40t@db1:5433,db2,[::1]:5434/animals?sslmode=disable')).to.deep.equal([
      { name: 'db1:5433', url: 'postgres://anna:s%40t@db1:5433/animals?sslmode=disable' },
      { name: 'db2', url: 'postgres://anna:s%40t@db2/animals?sslmode=disable' },
      { name: '[::1]:5434', url: 'postgres://anna:s%40t@[::1]:5434/animals?sslmode=disable' },
    ]);
  });

  it('may have nothing but a host', () => {
    expect(hostsOf('postgresql://db')).to.deep.equal([{ name: 'db', url: 'postgresql://db' }]);
  });

  for (const url of MALFORMED) {
    it(`is refused without repeating a password: ${url}`, () => {
      expect(errorOfPostgresUrl(url))
        .to.be.a('string')
        .and.not.match(/hunter2|anna/);
    });
  }

  it('is refused with the reason of the driver if that repeats nothing', () => {
    expect(errorOfPostgresUrl('postgres://anna:hunter2@db/animals?sslrootcert=/nowhere.pem')).to.contain(
      '/nowhere.pem',
    );
  });
});
