/** Plays the others' audio. Its elements are not in the document; only the room keeps and mutes them. */

interface Sinkable {
  setSinkId?: (id: string) => Promise<void>;
}

export interface RemoteAudio {
  /** Plays this person's track; null stops it. */
  set(personId: number, track: MediaStreamTrack | null): void;
  /** Call it when a person taps: starts what the browser had refused. */
  play(): Promise<void>;
  /** Starts again what the system had stopped, for example during a phone call. */
  resume(): void;
  /** Plays all audio on another speaker; '' is the system default. */
  speaker(deviceId: string): Promise<void>;
  close(): void;
}

/** Takes a callback that is told, on each change, whether the browser refuses to play without a tap. */
export function createRemoteAudio(onBlocked: (blocked: boolean) => void): RemoteAudio {
  const elements = new Map<number, HTMLAudioElement>();
  const refused = new Set<HTMLAudioElement>();
  let sink = '';
  let told = false;
  const tell = () => {
    if (told === refused.size > 0) return;
    told = refused.size > 0;
    onBlocked(told);
  };
  const start = async (element: HTMLAudioElement) => {
    try {
      await element.play();
      refused.delete(element);
    } catch (thrown) {
      // AbortError only means that another track took its place.
      if (
        thrown instanceof DOMException &&
        thrown.name === 'NotAllowedError' &&
        [...elements.values()].includes(element)
      )
        refused.add(element);
    }
    tell();
  };
  const route = async (element: HTMLAudioElement) => {
    // If a speaker is gone, falls back to the system default.
    await (element as Sinkable)
      .setSinkId?.(sink)
      .catch(() => (element as Sinkable).setSinkId?.('').catch(() => undefined));
  };
  const drop = (personId: number) => {
    const element = elements.get(personId);
    if (!element) return;
    elements.delete(personId);
    refused.delete(element);
    element.pause();
    element.srcObject = null;
    tell();
  };
  return {
    set(personId, track) {
      if (track === null) return drop(personId);
      const known = elements.get(personId);
      if ((known?.srcObject as MediaStream | null | undefined)?.getTracks()[0] === track) return;
      const element = known ?? document.createElement('audio');
      elements.set(personId, element);
      element.autoplay = true;
      element.srcObject = new MediaStream([track]);
      if (!known && sink !== '') void route(element);
      void start(element);
    },
    async play() {
      await Promise.all([...elements.values()].map(start));
    },
    resume() {
      for (const element of elements.values()) if (element.paused) void start(element);
    },
    async speaker(deviceId) {
      sink = deviceId;
      await Promise.all([...elements.values()].map(route));
    },
    close() {
      for (const id of [...elements.keys()]) drop(id);
    },
  };
}
