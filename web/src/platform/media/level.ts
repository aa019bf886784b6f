/** How loud a microphone is, and whether somebody speaks into it; heard here only, nothing leaves. */

/** Several times a second, so that a meter follows the voice without drawing at each frame. */
const EVERY_MS = 150;
/** Louder than this counts as speech; it takes this long of quiet to be silent again, as speech has gaps. */
const SPEECH = 0.6;
const QUIET_MS = 700;

/** In: samples between -1 and 1. Out: loudness 0..1 on a scale that follows the ear: -60 dB and below are 0. */
export function loudness(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const rms = Math.sqrt(sum / Math.max(1, samples.length));
  if (rms <= 0.001) return 0;
  return Math.min(1, (20 * Math.log10(rms) + 60) / 60);
}

/** Keeps "talking" through the gaps of speech. Out: a function that takes loudness and time (ms) and says whether somebody talks. */
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
 * Listens to a track. In: the track (it is not stopped here) and who hears: level 0..1 in steps of a twentieth, talking; told only when one changes.
 * Silent where the browser has no WebAudio.
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
    // Browsers start it asleep when it was made outside a tap, and phones put it to sleep during calls.
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
