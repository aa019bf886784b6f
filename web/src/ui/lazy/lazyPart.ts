/**
 * Code that a page needs only after an act: menus, dialogs, toolbars. Each is a separate file, so that the page appears
 * sooner. It is fetched at the first pointer move, touch or key, so that it is loaded when it is wanted.
 */
import { useMounted } from '@mantine/hooks';
import { type ComponentType, createElement, useEffect, useRef, useState } from 'react';
import { takeBackNotFetched, tellNotFetched } from './notFetched.ts';
import { retryUntilDone } from './retryUntilDone.ts';

export interface LazyPart<T> {
  get(): T | null;
  load(): Promise<T>;
}

/** Takes the function that fetches the code. A failed fetch is tried again the next time the part is wanted. */
export function lazyPart<T>(fetchIt: () => Promise<T>): LazyPart<T> {
  let there: T | null = null;
  let coming: Promise<T> | null = null;
  return {
    get: () => there,
    load() {
      coming ??= fetchIt().then(
        (value) => {
          there = value;
          return value;
        },
        (fault: unknown) => {
          coming = null;
          throw fault;
        },
      );
      return coming;
    },
  };
}

/**
 * Returns the part once it is loaded and was wanted, otherwise null: a part that nobody asked for is not drawn. A
 * failed fetch is repeated as long as the part is wanted. If a person has pressed for it, `onFailed` is given: it is
 * called at the first failure, which is shown to the person.
 */
export function useLazyPart<T>(wantedPart: LazyPart<T>, wanted: boolean, onFailed?: () => void): T | null {
  const [, redraw] = useState(0);
  const [everWanted, setEverWanted] = useState(wanted);
  if (wanted && !everWanted) setEverWanted(true);
  const failed = useRef(onFailed);
  const part = everWanted ? wantedPart.get() : null;
  const drawn = useRef(part);
  useEffect(() => {
    failed.current = onFailed;
    drawn.current = part;
  });
  useEffect(() => {
    if (!wanted) return undefined;
    if (wantedPart.get() !== null) {
      // It may have arrived since the drawing.
      if (drawn.current === null) redraw((count) => count + 1);
      return undefined;
    }
    let told = false;
    return retryUntilDone(
      () => wantedPart.load(),
      () => {
        takeBackNotFetched(wantedPart);
        redraw((count) => count + 1);
      },
      () => {
        if (told || !failed.current) return;
        told = true;
        tellNotFetched(wantedPart);
        failed.current();
      },
    );
  }, [wantedPart, wanted]);
  return part;
}

/** After an input, a press or a release nothing is fetched for this long: a drag may begin, or its drop be answered. */
const REST_MS = 500;

/** Runs work when the browser is idle; Safari before 18 cannot report that. */
function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: 2000 });
  else setTimeout(work);
}

/**
 * Fetches parts after the first move, touch or key, one after the other and in idle moments. Nothing is fetched while a
 * button or finger is down: parsing a part costs more than a frame, and a dragged figure would stutter. A part that is
 * wanted sooner is fetched at once. Takes the parts in the order in which they are fetched; pass the same array at each
 * drawing.
 */
export function useWarmUp(parts: readonly LazyPart<unknown>[]): void {
  useEffect(() => {
    const rest = [...parts];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pressed = false;
    let fetching = false;
    const next = () => {
      if (pressed || fetching || timer === undefined) return;
      const part = rest.shift();
      if (!part) {
        stop();
        return;
      }
      fetching = true;
      const done = () => {
        fetching = false;
        whenIdle(next);
      };
      part.load().then(done, done);
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => whenIdle(next), REST_MS);
    };
    const onDown = () => {
      pressed = true;
      wait();
    };
    const onUp = () => {
      pressed = false;
      wait();
    };
    const onSign = () => {
      if (timer === undefined) wait();
    };
    const heard = [
      ['pointermove', onSign],
      ['keydown', onSign],
      ['focusin', onSign],
      ['pointerdown', onDown],
      ['pointerup', onUp],
      ['pointercancel', onUp],
    ] as const;
    const stop = () => {
      clearTimeout(timer);
      timer = undefined;
      for (const [type, listener] of heard) window.removeEventListener(type, listener);
    };
    for (const [type, listener] of heard) window.addEventListener(type, listener, { passive: true });
    return stop;
  }, [parts]);
}

/** Mounts a dialog closed and then opens it, because it remembers the focused element at the moment of opening. */
export function OpenAfterMount<P extends { opened: boolean }>({
  dialog: Dialog,
  given,
}: {
  dialog: ComponentType<P>;
  given: P;
}) {
  const mounted = useMounted();
  return createElement(Dialog, { ...given, opened: given.opened && mounted });
}
