/**
 * What the gateway restricts: caps, mutes, hidden video (rules 3, 5, 6 and 14 of ../README.md). The restrictions are
 * derived from the room's facts in `restrictionsOf` and nowhere else. The engine gets them with the request they belong
 * to, and again whenever a change of the room changes them. The gateway does not remember what it sent.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Member } from '../members/tickets.ts';
import type { PublisherRestrictions, SubscriberRestrictions } from '../video.types.ts';
import type { Handle, VideoRoom } from './rooms.ts';

export interface RestrictionsParts {
  roomOf(handle: Handle): VideoRoom | undefined;
  capOf(room: VideoRoom, member: Member, highQuality: boolean): number;
  log: { warn(fields: object, message: string): void };
}

const handlesOf = (room: VideoRoom): Handle[] => [...room.sessions].flatMap(({ handles }) => [...handles.values()]);

/** Makes what derives restrictions from the facts of a room and has the engine keep to them. */
export function createRestrictions({ roomOf, capOf, log }: RestrictionsParts) {
  function ofPublisher(room: VideoRoom, { session: { member }, publishes }: Handle): PublisherRestrictions {
    return {
      bitrate: capOf(room, member, room.settings.highQuality),
      silent: { audio: room.muted.has(member.personId), mids: [...(publishes?.off ?? [])] },
    };
  }

  function ofSubscriber({ settings, stage }: VideoRoom, { session: { member } }: Handle): SubscriberRestrictions {
    const { as, therapistId, personId } = member;
    if (as === 'therapist') return { videoFrom: 'everybody' };
    if (!settings.clientsVisible) return { videoFrom: [therapistId, personId] };
    if (settings.stageOnly && stage !== null) return { videoFrom: [...new Set([therapistId, personId, ...stage])] };
    return { videoFrom: 'everybody' };
  }

  /** What the engine has to keep to for this handle; null for one that has not joined. */
  function restrictionsOf(room: VideoRoom, handle: Handle): PublisherRestrictions | SubscriberRestrictions | null {
    if (handle.kind === null) return null;
    return handle.kind === 'publisher' ? ofPublisher(room, handle) : ofSubscriber(room, handle);
  }

  /**
   * Has the engine keep to what holds for this handle now. Call it in the handle's turn. If the engine does not comply,
   * the connection is hung up: nobody is heard or seen because an order was lost.
   */
  async function enforceNow(handle: Handle): Promise<void> {
    const room = roomOf(handle);
    if (room === undefined || handle.gone) return;
    const restrictions = restrictionsOf(room, handle);
    // A person who publishes nothing gets the restrictions with the description.
    if (restrictions === null || (handle.kind === 'publisher' && handle.publishes === null)) return;
    const { engine } = handle.session;
    try {
      const reply = await engine.request(
        handle.inner,
        'bitrate' in restrictions
          ? { kind: 'configurePublisher', ...restrictions }
          : { kind: 'configureSubscriber', streams: [], ...restrictions },
      );
      if (reply.kind === 'refused') throw new Error(`the engine answered ${reply.code}: ${reply.message}`);
    } catch (error) {
      if (handle.gone) return;
      log.warn({ err: error }, 'a video connection could not be restricted as required and was hung up');
      await engine.hangup(handle.inner).catch(() => {});
    }
  }

  /** The same from outside, in the handle's turn; calls until that turn are carried out together. */
  function enforce(handle: Handle): Promise<void> {
    return (handle.enforcing ??= handle.inTurn(() => {
      handle.enforcing = null;
      return enforceNow(handle);
    }));
  }

  /**
   * Changes a fact of the room, and enforces what follows from it for everybody in it. Resolves when the engine has
   * carried it out.
   */
  async function change(room: VideoRoom, apply: () => void): Promise<void> {
    const before = handlesOf(room).map((handle) => ({ handle, restrictions: restrictionsOf(room, handle) }));
    apply();
    await Promise.all(
      before
        .filter(({ handle, restrictions }) => {
          const now = restrictionsOf(room, handle);
          // The engine got the restrictions of a handle that has just joined with its join.
          return restrictions !== null && now !== null && !isDeepStrictEqual(now, restrictions);
        })
        .map(({ handle }) => enforce(handle)),
    );
  }

  return { ofPublisher, ofSubscriber, enforceNow, change };
}
