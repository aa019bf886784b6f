/**
 * Many people from one page: each has their own seat, ticket and Janus session, and sends a small video that shows the
 * person's number.
 */
import type { Page } from '@playwright/test';
import { admit } from '@fieldroom/contract/clients';
import { VIDEO_PATH, VIDEO_PLUGIN } from '@fieldroom/contract/video';

/** Black or white stripes of a video: the person's number in binary, the most significant digit first. */
const STRIPES = 5;

export interface Crowd {
  /** The names of the people; number 1 is the first. */
  names: readonly string[];
  /** Starts or stops a loud tone. Only the first person sends audio. */
  talk(on: boolean): Promise<void>;
}

/**
 * Brings many people into a room. Takes a page of ours that nobody uses, and the page of the therapist, who lets each
 * of them in. Resolves when all of them publish.
 */
export async function crowd(page: Page, count: number, therapist: Page, joinLink = 'anna'): Promise<Crowd> {
  await page.exposeFunction('letIn', (clientId: number) =>
    therapist.evaluate(
      async ([path, body]) => {
        const answer = await fetch(path!, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${localStorage.getItem('token')}` },
          body: body!,
        });
        if (!answer.ok) throw new Error(await answer.text());
      },
      [admit.path, JSON.stringify({ clientIds: [clientId] })],
    ),
  );
  await page.goto(`/user/join/${joinLink}`);
  const names = Array.from({ length: count }, (_, index) => `Guest ${String(index + 1).padStart(2, '0')}`);
  await page.evaluate(
    async ({ names, joinLink, path, plugin, stripes }) => {
      const call = async (address: string, body: object, token?: string) => {
        const answer = await fetch(address, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
          body: JSON.stringify(body),
        });
        if (!answer.ok) throw new Error(`${address}: ${await answer.text()}`);
        return answer.json() as Promise<Record<string, unknown>>;
      };
      const videoOf = (number: number): MediaStreamTrack => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 160, height: 90 });
        const pen = canvas.getContext('2d')!;
        let frame = 0;
        const draw = () => {
          for (let stripe = 0; stripe < stripes; stripe += 1) {
            pen.fillStyle = (number >> (stripes - 1 - stripe)) & 1 ? '#fff' : '#000';
            pen.fillRect((stripe * 160) / stripes, 0, 160 / stripes, 90);
          }
          // The encoder sends frames only while something changes.
          pen.fillStyle = '#888';
          pen.fillRect((frame++ * 8) % 160, 80, 8, 10);
        };
        draw();
        setInterval(draw, 200);
        return canvas.captureStream(5).getVideoTracks()[0]!;
      };
      const toneTrack = (): MediaStreamTrack => {
        const context = new AudioContext();
        const loudness = new GainNode(context, { gain: 0 });
        const out = context.createMediaStreamDestination();
        const tone = new OscillatorNode(context, { frequency: 220, type: 'sawtooth' });
        tone.connect(loudness).connect(out);
        tone.start();
        Object.assign(window, {
          talk: (on: boolean) => {
            loudness.gain.value = on ? 0.8 : 0;
          },
        });
        return out.stream.getAudioTracks()[0]!;
      };
      const enter = async (name: string, index: number) => {
        const { token, client } = (await call('/api/room/enter', { joinLink, name })) as {
          token: string;
          client: { id: number };
        };
        await (window as unknown as { letIn(clientId: number): Promise<void> }).letIn(client.id);
        const { ticket, room } = (await call('/api/room/video-ticket', { firefox: false }, token)) as {
          ticket: string;
          room: number;
        };
        const socket = new WebSocket(location.origin.replace('http', 'ws') + path, 'janus-protocol');
        await new Promise((resolve, reject) => {
          socket.onopen = resolve;
          socket.onerror = reject;
        });
        const waiting = new Map<string, (message: Record<string, unknown>) => void>();
        socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
          const message = JSON.parse(data) as Record<string, unknown>;
          if (message['janus'] !== 'ack') waiting.get(message['transaction'] as string)?.(message);
        });
        const session: { session_id?: number } = {};
        let transactions = 0;
        const ask = (message: object) =>
          new Promise<Record<string, unknown>>((resolve) => {
            const transaction = `t${++transactions}`;
            waiting.set(transaction, resolve);
            socket.send(JSON.stringify({ transaction, token: ticket, ...session, ...message }));
          });
        session.session_id = ((await ask({ janus: 'create' }))['data'] as { id: number }).id;
        const handle_id = ((await ask({ janus: 'attach', plugin }))['data'] as { id: number }).id;
        setInterval(
          () => socket.send(JSON.stringify({ janus: 'keepalive', transaction: 'k', token: ticket, ...session })),
          20_000,
        );
        const request = async (body: object, jsep?: RTCSessionDescriptionInit) => {
          const answer = await ask({ janus: 'message', handle_id, body, ...(jsep ? { jsep } : {}) });
          const data = (answer['plugindata'] as { data: Record<string, unknown> } | undefined)?.data;
          if (!data || data['error_code'] !== undefined) throw new Error(`${name}: ${JSON.stringify(answer)}`);
          return answer as { jsep?: RTCSessionDescriptionInit };
        };
        await request({ request: 'join', ptype: 'publisher', room });
        const connection = new RTCPeerConnection();
        if (index === 0) connection.addTransceiver(toneTrack(), { direction: 'sendonly' });
        connection.addTransceiver(videoOf(index + 1), { direction: 'sendonly' });
        await connection.setLocalDescription(await connection.createOffer());
        const { jsep } = await request(
          { request: 'configure', audio: index === 0, video: true },
          { type: 'offer', sdp: connection.localDescription!.sdp },
        );
        const connected = new Promise<void>((resolve) => {
          connection.onconnectionstatechange = () => {
            if (connection.connectionState === 'connected') resolve();
          };
        });
        await connection.setRemoteDescription(jsep!);
        await connected;
      };
      // The first person talks, and has to be on everybody's first page.
      await enter(names[0]!, 0);
      // Four at a time: a handshake keeps both the page and the server busy.
      let next = 1;
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          for (let index = next++; index < names.length; index = next++) await enter(names[index]!, index);
        }),
      );
    },
    { names, joinLink, path: VIDEO_PATH, plugin: VIDEO_PLUGIN, stripes: STRIPES },
  );
  return {
    names,
    talk: (on) => page.evaluate((loud) => (window as unknown as { talk(on: boolean): void }).talk(loud), on),
  };
}

/** The number that each tile's video shows, by the name under it; null where no video is drawn. */
export const numbersShown = (page: Page): Promise<Record<string, number | null>> =>
  page.locator('figure[data-person]').evaluateAll(
    (tiles, stripes) =>
      Object.fromEntries(
        tiles.map((tile) => {
          const video = tile.querySelector('video');
          const name = tile.querySelector('figcaption')?.textContent ?? '';
          if (!video || video.videoWidth === 0 || video.getVideoPlaybackQuality().totalVideoFrames === 0)
            return [name, null];
          const canvas = Object.assign(document.createElement('canvas'), { width: 160, height: 90 });
          const pen = canvas.getContext('2d')!;
          pen.drawImage(video, 0, 0, 160, 90);
          let number = 0;
          for (let stripe = 0; stripe < stripes; stripe += 1)
            number =
              number * 2 +
              (pen.getImageData(Math.round((stripe + 0.5) * (160 / stripes)), 40, 1, 1).data[0]! > 127 ? 1 : 0);
          return [name, number];
        }),
      ),
    STRIPES,
  );
