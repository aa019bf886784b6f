import { expect, test } from 'vitest';
import { BlobsFault, BlobsFull, BlobsUnavailable } from './platform/blobs/blobs.ts';
import { explainStartFault } from './start-faults.ts';

const config = { dataDir: '/srv/fieldroom', host: '192.0.2.1', port: 80 };
const fault = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

test.each([
  ['a full disk', fault('ENOSPC', { path: '/srv/fieldroom/files' }), ['/srv/fieldroom/files', 'full']],
  ['a full quota', fault('EDQUOT'), ['/srv/fieldroom', 'full']],
  ['a folder mounted for reading alone', fault('EROFS'), ['/srv/fieldroom', 'read-only', 'DATA_DIR']],
  ['a folder of somebody else', fault('EPERM'), ['/srv/fieldroom', 'owner', 'DATA_DIR']],
  ['a folder without rights', fault('EACCES', { syscall: 'mkdir' }), ['/srv/fieldroom', 'owner', 'DATA_DIR']],
  ['a file in the way', fault('ENOTDIR', { path: '/srv/fieldroom/files' }), ['/srv/fieldroom/files', 'DATA_DIR']],
  ['a port that needs rights', fault('EACCES', { syscall: 'listen' }), ['80', '1023', 'PORT=']],
  ['a port in use', fault('EADDRINUSE'), ['80', 'PORT=']],
  ['an address of another machine', fault('EADDRNOTAVAIL'), ['HOST=192.0.2.1']],
  ['what is wrong with the bucket', new BlobsFault('Check S3_REGION.'), ['Check S3_REGION.']],
  ['a file store that is full', new BlobsFull('507'), ['file store', 'no room']],
  ['a file store that fails', new BlobsUnavailable('reset'), ['file store', 'start again']],
  ['a name that is no address', fault('ENOTFOUND'), ['HOST=192.0.2.1']],
])('%s is said with what to do about it', (_what, error, parts) => {
  const sentence = explainStartFault(error, config);
  for (const part of parts) expect(sentence).toContain(part);
});

test('a bug is no such fault', () => {
  expect(explainStartFault(new TypeError('x is not a function'), config)).toBeNull();
});
