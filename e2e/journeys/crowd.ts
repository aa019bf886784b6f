/**
 * Many people from one page: each a seat, a ticket and a Janus session of their own, and a small picture that shows
 * the person's number.
 */
import type { Page } from '@playwright/test';
import { VIDEO_PATH, VIDEO_PLUGIN } from '@fieldroom/contract/video';

/** Stripes of a picture, black or white: the person's number in binary, the highest digit first. */
const STRIPES = 5;

export interface Crowd {
  /** The names they entered with, by number from 1. */
  names: readonly string[];
  /** Switches a person's loud tone. Only the first person has a voice. */
  talk(on: boolean): Promise<void>;
}

/** Takes a page of ours that nobody uses, and a room that lets in by its link alone. Resolves when all publish. */
export async function crowd(page: Page, count: number, joinLink = 'anna'): Promise<Crowd> {
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
      const pictureOf = (number: number): MediaStreamTrack => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 160, height: 90 });
        const pen = canvas.getContext('2d')!;
        let turn = 0;
        const draw = () => {
          for (let stripe = 0; stripe < stripes; stripe += 1) {
            pen.fillStyle = (number >> (stripes - 1 - stripe)) & 1 ? '#fff' : '#000';
            pen.fillRect((stripe * 160) / stripes, 0, 160 / stripes, 90);
          }
          // Something has to change for frames to be sent.
          pen.fillStyle = '#888';
          pen.fillRect((turn++ * 8) % 160, 80, 8, 10);
        };
        draw();
        setInterval(draw, 200);
        return canvas.captureStream(5).getVideoTracks()[0]!;
      };
      const voice = (): MediaStreamTrack => {
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
      const come = async (name: string, index: number) => {
        const { token } = (await call('/api/room/enter', { joinLink, name })) as { token: string };
        const { ticket, room } = (await call('/api/room/video-ticket', { firefox: false }, token)) as {
          ticket: string;
          room: number;
        };
        const line = new WebSocket(location.origin.replace('http', 'ws') + path, 'janus-protocol');
        await new Promise((resolve, reject) => {
          line.onopen = resolve;
          line.onerror = reject;
        });
        const waiting = new Map<string, (message: Record<string, unknown>) => void>();
        line.addEventListener('message', ({ data }: MessageEvent<string>) => {
          const message = JSON.parse(data) as Record<string, unknown>;
          if (message['janus'] !== 'ack') waiting.get(message['transaction'] as string)?.(message);
        });
        const session: { session_id?: number } = {};
        let transactions = 0;
        const ask = (message: object) =>
          new Promise<Record<string, unknown>>((resolve) => {
            const transaction = `t${++transactions}`;
            waiting.set(transaction, resolve);
            line.send(JSON.stringify({ transaction, token: ticket, ...session, ...message }));
          });
        session.session_id = ((await ask({ janus: 'create' }))['data'] as { id: number }).id;
        const handle_id = ((await ask({ janus: 'attach', plugin }))['data'] as { id: number }).id;
        setInterval(
          () => line.send(JSON.stringify({ janus: 'keepalive', transaction: 'k', token: ticket, ...session })),
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
        if (index === 0) connection.addTransceiver(voice(), { direction: 'sendonly' });
        connection.addTransceiver(pictureOf(index + 1), { direction: 'sendonly' });
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
      // A few at a time: a handshake takes both sides' time.
      let next = 0;
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          for (let index = next++; index < names.length; index = next++) await come(names[index]!, index);
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

/** The number that each tile's picture shows, by the name under it; null where nothing is drawn. */
export const numbersShown = (page: Page): Promise<Record<string, number | null>> =>
  page.locator('figure[data-person]').evaluateAll(
    (faces, stripes) =>
      Object.fromEntries(
        faces.map((face) => {
          const video = face.querySelector('video');
          const name = face.querySelector('figcaption')?.textContent ?? '';
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
