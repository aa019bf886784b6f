/** Encrypts as werift does, for the benchmark that compares it with ours. */
import { RtpHeader, SrtpSession } from 'werift';
import type { SrtpKeys } from './srtp.types.ts';

/**
 * Takes the keys of one direction. Returns what encrypts a payload under a sequence number, with one header for all.
 */
export function createWeriftEncryptor({
  profile,
  masterKey,
  masterSalt,
}: SrtpKeys): (payload: Buffer, sequence: number) => Buffer {
  const session = new SrtpSession({
    profile,
    keys: {
      localMasterKey: masterKey,
      localMasterSalt: masterSalt,
      remoteMasterKey: masterKey,
      remoteMasterSalt: masterSalt,
    },
  });
  const header = new RtpHeader({ payloadType: 96, ssrc: 1, timestamp: 1 });
  return (payload, sequence) => {
    header.sequenceNumber = sequence & 0xffff;
    return session.encrypt(payload, header);
  };
}
