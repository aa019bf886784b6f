/** What every place for bytes does: a folder, and a bucket of an S3-compatible store. */
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { describe } from 'vitest';
import { type Place, testBlobs } from '../../../tests/support/blobs-contract.ts';
import { s3Server, type S3Server } from '../../../tests/support/programs/s3-server.ts';
import { testConfig } from '../../../tests/support/test-app.ts';
import { createFolderBlobs } from './folder.ts';
import { createS3Blobs } from './s3.ts';

async function folder(): Promise<Place> {
  const root = await mkdtemp(path.join(tmpdir(), 'fieldroom-test-blobs-'));
  const blobs = createFolderBlobs(root);
  return {
    blobs,
    async writeAged(name, bytes, ageMs) {
      await blobs.write(name, bytes);
      const then = new Date(Date.now() - ageMs);
      await utimes(path.join(root, name), then, then);
    },
    leave: () => rm(root, { recursive: true }),
  };
}

const bucket = (prefix: string) => async (): Promise<Place> => {
  const server: S3Server = await s3Server();
  // More than one page.
  server.pageSize = 2;
  const { s3 } = testConfig({ ...server.env, S3_PREFIX: prefix });
  return {
    blobs: createS3Blobs(s3!, async () => 'this installation'),
    async writeAged(name, bytes, ageMs) {
      server.objects.set(`${s3!.prefix}${name}`, { bytes: Buffer.from(bytes), writtenAt: Date.now() - ageMs });
    },
    leave: () => server.close(),
  };
};

describe.each([
  ['a folder', folder],
  ['a bucket', bucket('')],
  ['a part of a bucket', bucket('a/part')],
])('%s', (_name, make) => {
  testBlobs(make);
});
