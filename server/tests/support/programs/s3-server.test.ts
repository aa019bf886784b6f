/** The store of the tests makes the signatures of AWS' own examples. */
import { expect, test } from 'vitest';
import { signatureOf } from './s3-server.ts';

/** Source: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "Examples". */
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const TIME = '20130524T000000Z';
const NO_BODY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const headers = {
  host: 'examplebucket.s3.amazonaws.com',
  'x-amz-content-sha256': NO_BODY,
  'x-amz-date': TIME,
};
const usual = { method: 'GET', time: TIME, region: 'us-east-1' };

test('an object, a part of which is asked for', () => {
  const signedHeaders = ['host', 'range', 'x-amz-content-sha256', 'x-amz-date'];
  expect(
    signatureOf({ ...usual, target: '/test.txt', headers: { ...headers, range: 'bytes=0-9' }, signedHeaders }, SECRET),
  ).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41');
});

test('a list, whose parameters are sorted', () => {
  const signedHeaders = ['host', 'x-amz-content-sha256', 'x-amz-date'];
  for (const target of ['/?max-keys=2&prefix=J', '/?prefix=J&max-keys=2'])
    expect(signatureOf({ ...usual, target, headers, signedHeaders }, SECRET)).toBe(
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    );
});
