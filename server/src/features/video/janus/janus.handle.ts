/**
 * One handle on a Janus server. The videoroom of Janus cannot keep to restrictions by itself: a mute belongs to one
 * stream of one description, and there is nothing that hides one person's video from another. So this remembers what
 * Janus was told about the streams of the handle, and tells it what is missing after each request and each offer of
 * Janus' own. The embedded engine has no need for it.
 */
import {
  type EngineEvent,
  type EngineReply,
  type EngineRequest,
  type Jsep,
  type PublisherRestrictions,
  REFUSAL,
  type StreamChange,
  type SubscribedStream,
  type SubscriberRestrictions,
} from '../video.types.ts';
import { bodyOfRequest, type PluginBody, readReply } from './janus.videoroom.ts';

export interface JanusHandleParts {
  /** Sends a request to the plugin and returns its final answer. */
  ask(body: PluginBody, jsep?: Jsep): Promise<{ data: PluginBody; jsep?: Jsep | undefined }>;
  /** The same with the room's secret, for `moderate`. */
  askAsOwner(body: PluginBody): Promise<PluginBody>;
  /** Closes the connection: Janus could not be brought to keep to a restriction. */
  hangup(error: unknown): Promise<void>;
}

export interface JanusHandle {
  readonly kind: 'publisher' | 'subscriber' | null;
  request(request: EngineRequest, jsep: Jsep | undefined): Promise<EngineReply>;
  /** Takes an event of Janus about this handle. */
  heard(event: EngineEvent): void;
}

/** A subscribed stream on an m-line, and what Janus was told about it. */
interface Subscribed {
  readonly mid: string;
  readonly type: SubscribedStream['type'];
  readonly publisherId: number;
  /** The page's own switch. */
  wanted: boolean;
  /** Whether Janus sends it. */
  sent: boolean;
}
/** The m-line may come to carry another stream. */
const keyOf = (stream: SubscribedStream) => `${stream.mid} ${stream.publisherId} ${stream.publisherMid ?? ''}`;

/** Follows what one handle of a session does. */
export function createJanusHandle({ ask, askAsOwner, hangup }: JanusHandleParts): JanusHandle {
  let kind: JanusHandle['kind'] = null;
  let tail: Promise<void> = Promise.resolve();

  let publisherId = 0;
  let bitrate: number | undefined;
  let silent: PublisherRestrictions['silent'] = { audio: false, mids: [] };
  /** Published streams by mid, and whether Janus was told to mute them; null where it may still have an older word. */
  let published = new Map<string, { type: string; muted: boolean | null }>();

  /** What the m-lines of the last offer were. */
  let offeredKinds: readonly string[] = [];

  let videoFrom: SubscriberRestrictions['videoFrom'] = 'everybody';
  let subscribed = new Map<string, Subscribed>();

  // ---- what Janus has to be told

  async function mute(): Promise<void> {
    for (const [mid, stream] of published) {
      const muted = silent.mids.includes(mid) || (silent.audio && stream.type === 'audio');
      if (muted === stream.muted) continue;
      const { error_code, error } = await askAsOwner({ request: 'moderate', id: publisherId, mid, mute: muted });
      if (error_code !== undefined) throw new Error(`Janus answered ${String(error_code)}: ${String(error)}`);
      stream.muted = muted;
    }
  }

  async function hide(): Promise<void> {
    const changes = [...subscribed.values()].flatMap((stream) => {
      const isHidden = stream.type === 'video' && videoFrom !== 'everybody' && !videoFrom.includes(stream.publisherId);
      const send = stream.wanted && !isHidden;
      return send === stream.sent ? [] : [{ stream, send }];
    });
    if (changes.length === 0) return;
    const { data } = await ask({
      request: 'configure',
      streams: changes.map(({ stream: { mid }, send }) => ({ mid, send })),
    });
    if (data.error_code !== undefined) throw new Error(`Janus answered ${String(data.error_code)}`);
    for (const { stream, send } of changes) stream.sent = send;
  }

  /** Tells Janus what is missing, one call after the other. Where it does not comply, the connection is hung up. */
  function enforce(): Promise<void> {
    tail = tail.then(kind === 'subscriber' ? hide : mute).catch(hangup);
    return tail;
  }

  // ---- what Janus says

  /** Takes the streams of an answer. Mutes that Janus has may belong to other streams now, so they are told again. */
  function setPublished(streams: readonly { mid: string; type: string; disabled?: boolean | undefined }[]): void {
    const hadMutes = [...published.values()].some(({ muted }) => muted !== false);
    published = new Map(
      streams
        .filter(({ disabled }) => !disabled)
        .map(({ mid, type }) => [mid, { type, muted: hadMutes ? null : false }]),
    );
  }

  function setSubscribed(streams: readonly SubscribedStream[]): void {
    const before = subscribed;
    subscribed = new Map();
    for (const stream of streams) {
      const { mid, type, publisherId: from, active, send } = stream;
      if (!active || from === undefined) continue;
      const known = before.get(keyOf(stream)) ?? { mid, type, publisherId: from, wanted: true, sent: true };
      // An m-line that carries another stream may have kept its switch.
      known.sent = send ?? known.sent;
      subscribed.set(keyOf(stream), known);
    }
  }

  /** Takes the page's switches out of a change; Janus is told of them together with what is hidden. */
  function switchSubscribed({ mid, media, send }: StreamChange): void {
    if (send === undefined) return;
    for (const stream of subscribed.values())
      if ((mid ?? stream.mid) === stream.mid && (media ?? stream.type) === stream.type) stream.wanted = send;
  }

  /**
   * Janus goes on treating an m-line as the kind it was first. An offer that makes video of audio would pass through
   * every restriction of video, so it is refused; browsers do not do that.
   */
  function changesKinds({ sdp }: Jsep): boolean {
    const kinds = [...sdp.matchAll(/^m=(\w+)/gm)].map(([, name]) => name!);
    if (offeredKinds.some((name, at) => kinds[at] !== undefined && kinds[at] !== name)) return true;
    offeredKinds = kinds;
    return false;
  }

  function forget(): void {
    offeredKinds = [];
    published.clear();
    subscribed.clear();
  }

  // ---- requests

  /** What is left of a request when restrictions and switches are taken out; null when nothing is. */
  function withoutRestrictions(request: EngineRequest): EngineRequest | null {
    switch (request.kind) {
      case 'joinAndPublish':
      case 'publish':
      case 'configurePublisher': {
        const isNew = request.bitrate !== bitrate;
        silent = request.silent ?? silent;
        bitrate = request.bitrate ?? bitrate;
        const { silent: _silent, kind: _kind, bitrate: _bitrate, ...rest } = request;
        const isEmpty = request.kind === 'configurePublisher' && Object.values(rest).every((one) => one === undefined);
        return isEmpty && !isNew ? null : request;
      }
      case 'configureSubscriber': {
        videoFrom = request.videoFrom ?? videoFrom;
        for (const change of request.streams) switchSubscribed(change);
        const streams = request.streams
          .map(({ send: _send, media: _media, ...change }) => change)
          .filter(({ mid: _mid, ...change }) => Object.values(change).some((value) => value !== undefined));
        return streams.length > 0 || request.restart !== undefined ? { ...request, streams } : null;
      }
      case 'joinSubscriber':
        videoFrom = request.videoFrom ?? videoFrom;
        return request;
      default:
        return request;
    }
  }

  async function send(request: EngineRequest, offered: Jsep | undefined): Promise<EngineReply> {
    const { data, jsep } = await ask(bodyOfRequest(request), offered);
    const reply = readReply(request, data, jsep);
    if (reply.kind === 'joined') {
      kind = 'publisher';
      publisherId = reply.id;
    }
    if (reply.kind === 'attached') kind = 'subscriber';
    if (offered !== undefined && 'publication' in reply && reply.publication !== undefined)
      setPublished(reply.publication.streams);
    if ('streams' in reply && reply.streams !== undefined) setSubscribed(reply.streams);
    if (request.kind === 'unpublish' || request.kind === 'leave') forget();
    if (request.kind === 'leave') kind = null;
    return reply;
  }

  return {
    get kind() {
      return kind;
    },
    async request(request, jsep) {
      if (jsep?.type === 'offer' && changesKinds(jsep))
        return { kind: 'refused', code: REFUSAL.invalidSdp, message: 'Error parsing SDP: an m-line of another kind' };
      const rest = withoutRestrictions(request);
      const reply: EngineReply =
        rest === null && jsep === undefined ? { kind: 'configured' } : await send(rest ?? request, jsep);
      await enforce();
      return reply;
    },
    heard(event) {
      if (event.kind === 'hangup') forget();
      if (event.kind !== 'updated') return;
      setSubscribed(event.streams);
      void enforce();
    },
  };
}
