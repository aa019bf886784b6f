/** Brings the engine into line with what is to be: caps, silence, hidden pictures. The rules (3, 5, 6) stand in ../README.md. */
import type { Member } from '../video.tickets.ts';
import type { PluginBody } from '../video.types.ts';
import type { Handle, ReceivedStream, VideoRoom } from './rooms.ts';

/** One stream on one media line; the line may come to carry another. */
export const keyOf = ({ mid, feed, feedMid }: ReceivedStream) => `${mid} ${feed} ${feedMid}`;

export interface SettlingParts {
  roomOf(handle: Handle): VideoRoom | undefined;
  capOf(room: VideoRoom, member: Member, highQuality: boolean): number;
  isHidden(room: VideoRoom, member: Member, feed: number): boolean;
  log: { warn(fields: object, message: string): void };
}

/** Makes it. Out: `settleNow` for whoever has the handle's turn, `settle` for all others. */
export function createSettling({ roomOf, capOf, isHidden, log }: SettlingParts) {
  async function order(handle: Handle, body: PluginBody): Promise<void> {
    const { data } = await handle.line.engine.message(handle.inner, body);
    if (data.error_code !== undefined)
      throw new Error(`the engine answered ${String(data.error_code)} to ${String(body.request)}`);
  }

  async function settlePublisher(room: VideoRoom, handle: Handle): Promise<void> {
    const { sends } = handle;
    if (sends === null) return;
    const { personId } = handle.line.member;
    for (const { mid, type } of sends.streams) {
      const silent = sends.off.has(mid) || (type === 'audio' && room.muted.has(personId));
      if (silent === sends.silenced.has(mid)) continue;
      await order(handle, { request: 'moderate', id: personId, mid, mute: silent });
      if (silent) sends.silenced.add(mid);
      else sends.silenced.delete(mid);
    }
    const cap = capOf(room, handle.line.member, room.settings.highQuality);
    if (cap !== sends.cap) {
      await order(handle, { request: 'configure', bitrate: cap });
      sends.cap = cap;
    }
  }

  async function settleSubscriber(room: VideoRoom, handle: Handle): Promise<void> {
    const { streams, unwanted, stopped } = handle.receives;
    const { member } = handle.line;
    const changes = streams.flatMap((stream) => {
      const send = !unwanted.has(keyOf(stream)) && !(stream.type === 'video' && isHidden(room, member, stream.feed));
      return send === !stopped.has(keyOf(stream)) ? [] : [{ stream, send }];
    });
    if (changes.length === 0) return;
    await order(handle, { request: 'configure', streams: changes.map(({ stream: { mid }, send }) => ({ mid, send })) });
    for (const { stream, send } of changes) {
      if (send) stopped.delete(keyOf(stream));
      else stopped.add(keyOf(stream));
    }
  }

  /**
   * Tells the engine what of this handle has changed: cap, silence, hidden pictures. In the handle's turn. What must be and can't be
   * reached ends the connection: nobody is heard or seen because an order was lost.
   */
  async function settleNow(handle: Handle): Promise<void> {
    const room = roomOf(handle);
    if (room === undefined || handle.gone) return;
    try {
      if (handle.kind === 'publisher') await settlePublisher(room, handle);
      if (handle.kind === 'subscriber') await settleSubscriber(room, handle);
    } catch (error) {
      if (handle.gone) return;
      log.warn({ err: error }, 'a video line could not be set as it has to be, and was hung up');
      await handle.line.engine.hangup(handle.inner).catch(() => {});
    }
  }

  /** The same in its turn, from outside; what is asked for meanwhile is done together. */
  function settle(handle: Handle): Promise<void> {
    return (handle.settling ??= handle.inTurn(() => {
      handle.settling = null;
      return settleNow(handle);
    }));
  }

  return { settle, settleNow };
}
