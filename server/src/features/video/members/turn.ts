/** Passwords for TURN servers that live a day at most and name nobody. */
import { createHmac, randomBytes } from 'node:crypto';
import type { IceServer } from '@fieldroom/contract/video';
import type { Config } from '../../../platform/config.ts';

/** Longer than a working day: the server asks for the password at every refresh of a relay. */
const TURN_SECONDS = 12 * 3600;

/**
 * The ICE servers for one member. Takes the setting, and seconds since 1970 of the machine's clock. Returns none when
 * there is no TURN.
 * Source: draft-uberti-behave-turn-rest-00, coturn `use-auth-secret`: user `<expiry>:<id>`, password
 * base64(HMAC-SHA1(secret, user)).
 */
export function iceServersOf(turn: Config['turn'], nowSeconds = Math.floor(Date.now() / 1000)): IceServer[] {
  if (turn === null) return [];
  const username = `${nowSeconds + TURN_SECONDS}:${randomBytes(9).toString('base64url')}`;
  return [
    { urls: [...turn.urls], username, credential: createHmac('sha1', turn.secret).update(username).digest('base64') },
  ];
}
