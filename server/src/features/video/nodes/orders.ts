/** What any node may order the node that has the video of a room. They travel as JSON. */
import type { BodyOf } from '@fieldroom/contract/http';
import type { muteClients, NetworkQuality } from '@fieldroom/contract/video';

export type Order =
  /** Settings or the stage were written: read them, tell the room. Done when the engine keeps to them. */
  | { readonly kind: 'facts' }
  /** People came, went or were selected; `gone` have no seat any more. */
  | { readonly kind: 'people'; readonly gone: readonly number[] }
  /** The live session is over. */
  | { readonly kind: 'ended' }
  /** Answered with who was muted, when nobody hears them any more. */
  | { readonly kind: 'mute'; readonly clientIds: BodyOf<typeof muteClients>['clientIds'] }
  | { readonly kind: 'quality'; readonly personId: number; readonly quality: NetworkQuality }
  /** Answered with the bits per second that somebody may send who is about to join. */
  | { readonly kind: 'cap'; readonly as: 'therapist' | 'client'; readonly personId: number; readonly firefox: boolean }
  /** Sends the state to one person, who has just come. */
  | { readonly kind: 'tellState'; readonly personId: number }
  /** A sign-in has ended, by the hash of its token in hexadecimal; or all of an account. */
  | { readonly kind: 'signIn'; readonly tokenHash: string }
  | { readonly kind: 'person'; readonly personId: number }
  | Taken;

/** The sender has the room now. The node that had it before may not have seen that: without the database it cannot. */
interface Taken {
  readonly kind: 'taken';
}
/** What the service carries out; the rest is between the nodes. */
export type ServiceOrder = Exclude<Order, Taken>;
