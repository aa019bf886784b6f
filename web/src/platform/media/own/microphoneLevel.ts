/** Measures how loud a microphone is and whether somebody speaks into it; nothing leaves the browser. */

/** Several times a second, so that a meter follows the voice without being drawn each frame. */
const EVERY_MS = 150;
/** Above this level it is speech; it ends after this long below it, because speech has gaps. */
const SPEECH = 0.6;
const QUIET_MS = 700;

/** Takes samples between -1 and 1. Returns loudness 0..1 on a logarithmic scale: -60 dB and below are 0. */
export function loudness(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const rms = Math.sqrt(sum / Math.max(1, samples.length));
  if (rms <= 0.001) return 0;
  return Math.min(1, (20 * Math.log10(rms) + 60) / 60);
}

/**
 * Keeps "talking" through the gaps of speech. Returns a function that takes loudness and time (ms) and returns whether
 * somebody talks.
 */
export function createSpeechGate(): (level: number, nowMs: number) => boolean {
  let lastLoud = Number.NEGATIVE_INFINITY;
  return (level, nowMs) => {
    if (level >= SPEECH) lastLoud = nowMs;
    return nowMs - lastLoud <= QUIET_MS;
  };
}

export interface LevelMeter {
  close(): void;
}

/**
 * Measures a track, which it does not stop. The listener gets the level 0..1 in steps of a twentieth and whether
 * somebody talks, whenever either changes. Does nothing where the browser has no Web Audio.
 */
export function createLevelMeter(
  track: MediaStreamTrack,
  heard: (level: number, talking: boolean) => void,
): LevelMeter {
  if (typeof AudioContext === 'undefined') return { close: () => undefined };
  const context = new AudioContext();
  const source = context.createMediaStreamSource(new MediaStream([track]));
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const speaks = createSpeechGate();
  let last = { level: 0, talking: false };
  const timer = setInterval(() => {
    // Browsers suspend it when it was made without a tap, and phones do during calls.
    if (context.state !== 'running') void context.resume().catch(() => undefined);
    analyser.getFloatTimeDomainData(samples);
    const raw = track.enabled ? loudness(samples) : 0;
    const next = { level: Math.round(raw * 20) / 20, talking: speaks(raw, performance.now()) };
    if (next.level === last.level && next.talking === last.talking) return;
    last = next;
    heard(next.level, next.talking);
  }, EVERY_MS);
  return {
    close() {
      clearInterval(timer);
      source.disconnect();
      void context.close().catch(() => undefined);
    },
  };
}
