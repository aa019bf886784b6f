/** Plays the voices of the others. Elements stand in no page; the room alone holds and silences them. */

interface Sinkable {
  setSinkId?: (id: string) => Promise<void>;
}

export interface Voices {
  /** Plays this person's track; null ends it. */
  set(personId: number, track: MediaStreamTrack | null): void;
  /** From a person's tap: starts what the browser had refused. */
  play(): Promise<void>;
  /** Starts anew what the system had stopped, as a phone call does. */
  resume(): void;
  /** Sends all voices to another speaker; '' is the system's own. */
  speaker(deviceId: string): Promise<void>;
  close(): void;
}

/** In: who hears whether the browser refuses to play without a tap; told when it changes. */
export function createVoices(onBlocked: (blocked: boolean) => void): Voices {
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
      // AbortError means only that another track took its place.
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
    // A speaker that is gone falls back to the system's own.
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
