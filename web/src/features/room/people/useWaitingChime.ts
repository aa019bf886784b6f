/** A chime when somebody joins the waiting list. */
import { useCallback, useEffect, useState } from 'react';

/** Returns the function to call at an arrival: two soft notes, at most once in `everyMs`. */
export function useWaitingChime(enabled: boolean, everyMs = 8000): () => void {
  const [chime] = useState(() => createChime(everyMs));
  useEffect(() => {
    chime.enabled = enabled;
  }, [chime, enabled]);
  return useCallback(() => chime.ring(), [chime]);
}

function createChime(everyMs: number) {
  let context: AudioContext | null = null;
  let last = -Infinity;
  return {
    enabled: false,
    ring() {
      if (!this.enabled || Date.now() - last < everyMs || typeof AudioContext === 'undefined') return;
      last = Date.now();
      try {
        context ??= new AudioContext();
        playNote(context, 523.25, context.currentTime);
        playNote(context, 659.25, context.currentTime + 0.18);
      } catch {
        // Some browsers play nothing before a gesture: the notice on the screen stays.
      }
    },
  };
}

/** Plays one note of a second, in Hz, at a time of the audio clock. */
function playNote(context: AudioContext, frequency: number, start: number): void {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(0.12, start + 0.03);
  gain.gain.exponentialRampToValueAtTime(0.001, start + 0.9);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + 1);
}
