/**
 * Makes the engine do what the gateway has decided: caps, mutes, hidden video. The rules (3, 5, 6) are in
 * ../README.md.
 */
import type { Member } from '../video.tickets.ts';
import type { EngineRequest } from '../video.types.ts';
import type { Handle, ReceivedStream, VideoRoom } from './rooms.ts';

/** One stream on one m-line; the m-line may come to carry another. */
export const keyOf = ({ mid, publisherId, publisherMid }: ReceivedStream) => `${mid} ${publisherId} ${publisherMid}`;

export interface SettlingParts {
  roomOf(handle: Handle): VideoRoom | undefined;
  capOf(room: VideoRoom, member: Member, highQuality: boolean): number;
  isHidden(room: VideoRoom, member: Member, feed: number): boolean;
  log: { warn(fields: object, message: string): void };
}

/** Returns `settleNow` for the caller that has the handle's turn, `settle` for all others. */
export function createSettling({ roomOf, capOf, isHidden, log }: SettlingParts) {
  async function order(handle: Handle, request: EngineRequest): Promise<void> {
    const reply = await handle.session.engine.request(handle.inner, request);
    if (reply.kind === 'refused') throw new Error(`the engine answered ${reply.code} to ${request.kind}`);
  }

  async function settlePublisher(room: VideoRoom, handle: Handle): Promise<void> {
    const { sends } = handle;
    if (sends === null) return;
    const { personId } = handle.session.member;
    for (const { mid, type } of sends.streams) {
      const silent = sends.off.has(mid) || (type === 'audio' && room.muted.has(personId));
      if (silent === sends.silenced.has(mid)) continue;
      await order(handle, { kind: 'moderate', id: personId, mid, mute: silent });
      if (silent) sends.silenced.add(mid);
      else sends.silenced.delete(mid);
    }
    const cap = capOf(room, handle.session.member, room.settings.highQuality);
    if (cap !== sends.cap) {
      await order(handle, { kind: 'configurePublisher', bitrate: cap });
      sends.cap = cap;
    }
  }

  async function settleSubscriber(room: VideoRoom, handle: Handle): Promise<void> {
    const { streams, unwanted, stopped } = handle.receives;
    const { member } = handle.session;
    const changes = streams.flatMap((stream) => {
      const send =
        !unwanted.has(keyOf(stream)) && !(stream.type === 'video' && isHidden(room, member, stream.publisherId));
      return send === !stopped.has(keyOf(stream)) ? [] : [{ stream, send }];
    });
    if (changes.length === 0) return;
    await order(handle, {
      kind: 'configureSubscriber',
      streams: changes.map(({ stream: { mid }, send }) => ({ mid, send })),
    });
    for (const { stream, send } of changes) {
      if (send) stopped.delete(keyOf(stream));
      else stopped.add(keyOf(stream));
    }
  }

  /**
   * Tells the engine what has changed for this handle: cap, mutes, hidden video. Call it in the handle's turn. If
   * the engine does not comply, the connection is hung up: nobody is heard or seen because an order was lost.
   */
  async function settleNow(handle: Handle): Promise<void> {
    const room = roomOf(handle);
    if (room === undefined || handle.gone) return;
    try {
      if (handle.kind === 'publisher') await settlePublisher(room, handle);
      if (handle.kind === 'subscriber') await settleSubscriber(room, handle);
    } catch (error) {
      if (handle.gone) return;
      log.warn({ err: error }, 'a video connection could not be set as required and was hung up');
      await handle.session.engine.hangup(handle.inner).catch(() => {});
    }
  }

  /** The same from outside, in the handle's turn; calls made meanwhile are settled together. */
  function settle(handle: Handle): Promise<void> {
    return (handle.settling ??= handle.inTurn(() => {
      handle.settling = null;
      return settleNow(handle);
    }));
  }

  return { settle, settleNow };
}
