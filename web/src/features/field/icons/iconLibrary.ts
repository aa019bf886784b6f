/**
 * The therapist's own icons in this browser. An `<img>` cannot send the sign-in, so each drawing is fetched with it and
 * shown from a blob address. The server has cleaned what arrives, and it is only ever shown as a picture
 * (docs/product.md#13.10).
 */
import type { Icon } from '@fieldroom/contract/field';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { retryUntilDone } from '../../../ui/lazy/retryUntilDone.ts';

export interface IconCalls {
  list(): Promise<Icon[]>;
  image(iconId: number): Promise<Blob>;
  save(name: string, image: string): Promise<Icon>;
  remove(iconId: number): Promise<void>;
}

type Done<T> = ({ ok: true } & T) | { ok: false; code: string };

interface IconSize {
  width: number;
  height: number;
}

/**
 * The size that the server stored, as the cleaned drawing's root carries it. Every screen fetches the drawing of an
 * icon that a figure uses, so people who were in the room before the upload get the size with it.
 */
export function iconSize(drawing: string): IconSize | null {
  const root = drawing.slice(0, drawing.indexOf('>'));
  const side = (name: string) => Number(root.split(` ${name}="`)[1]?.split('"')[0]);
  const [width, height] = [side('width'), side('height')];
  return width > 0 && height > 0 ? { width, height } : null;
}

export interface IconLibrary {
  /** null while loading. */
  icons: Icon[] | null;
  /** Blob address by icon id, for drawings that have arrived. */
  urls: ReadonlyMap<number, string>;
  /** Stored size in px by icon id: from the list, or from the drawing if that is newer than the list. */
  sizes: ReadonlyMap<number, IconSize>;
  save(name: string, image: string): Promise<Done<{ icon: Icon }>>;
  remove(iconId: number): Promise<Done<object>>;
  refresh(): void;
}

const codeOf = (fault: unknown): string =>
  typeof fault === 'object' && fault !== null && 'code' in fault ? String(fault.code) : 'unknown_fault';

/** Fetches one drawing; null if the icon was deleted, which another request would not change. */
async function drawingOf(calls: Pick<IconCalls, 'image'>, iconId: number) {
  try {
    const blob = await calls.image(iconId);
    return { blob, size: iconSize(await blob.text()) };
  } catch (fault) {
    if (codeOf(fault) === 'not_found') return null;
    throw fault;
  }
}

/** The drawings of icons as they arrive; failed ones are fetched again. Takes the ids of the shown icons. */
export function useIconDrawings(
  calls: Pick<IconCalls, 'image'>,
  iconIds: readonly number[],
): { urls: ReadonlyMap<number, string>; drawn: ReadonlyMap<number, IconSize> } {
  const [urls, setUrls] = useState<ReadonlyMap<number, string>>(new Map());
  const [drawn, setDrawn] = useState<ReadonlyMap<number, IconSize>>(new Map());
  /** The requested icons, each with a function that stops the request. */
  const asked = useRef(new Map<number, () => void>());
  const made = useRef<string[]>([]);
  useEffect(() => {
    const asking = asked.current;
    const addresses = made.current;
    return () => {
      for (const stop of asking.values()) stop();
      asking.clear();
      for (const url of addresses) URL.revokeObjectURL(url);
    };
  }, []);

  const wanted = [...new Set(iconIds)].join(',');
  useEffect(() => {
    for (const id of wanted.split(',').filter(Boolean).map(Number)) {
      if (asked.current.has(id)) continue;
      const show = (drawing: Awaited<ReturnType<typeof drawingOf>>) => {
        if (drawing === null) return;
        const { blob, size } = drawing;
        if (size) setDrawn((known) => new Map(known).set(id, size));
        const url = URL.createObjectURL(blob);
        made.current.push(url);
        setUrls((known) => new Map(known).set(id, url));
      };
      asked.current.set(
        id,
        retryUntilDone(() => drawingOf(calls, id), show),
      );
    }
  }, [calls, wanted]);
  return { urls, drawn };
}

/**
 * Takes the calls, and the ids of icons that figures use (they may be newer than the list). Returns list, pictures and
 * acts; the same object while none of it changed.
 */
export function useIconLibrary(calls: IconCalls, worn: readonly number[]): IconLibrary {
  const [icons, setIcons] = useState<Icon[] | null>(null);
  const { urls, drawn } = useIconDrawings(calls, [...(icons ?? []).map((icon) => icon.id), ...worn]);

  const stopAsking = useRef(() => {});
  // Only the latest request counts: the answer to an older one may arrive after it.
  const refresh = useCallback(() => {
    stopAsking.current();
    stopAsking.current = retryUntilDone(() => calls.list(), setIcons);
  }, [calls]);
  useEffect(() => {
    refresh();
    return () => stopAsking.current();
  }, [refresh]);
  const save = useCallback<IconLibrary['save']>(
    async (name, image) => {
      try {
        const icon = await calls.save(name, image);
        setIcons((known) => [...(known ?? []).filter((other) => other.id !== icon.id), icon]);
        return { ok: true, icon };
      } catch (fault) {
        return { ok: false, code: codeOf(fault) };
      }
    },
    [calls],
  );
  const remove = useCallback<IconLibrary['remove']>(
    async (iconId) => {
      try {
        await calls.remove(iconId);
        setIcons((known) => (known ?? []).filter((icon) => icon.id !== iconId));
        return { ok: true };
      } catch (fault) {
        return { ok: false, code: codeOf(fault) };
      }
    },
    [calls],
  );

  const sizes = useMemo(
    () =>
      new Map([...drawn, ...(icons ?? []).map(({ id, width, height }): [number, IconSize] => [id, { width, height }])]),
    [drawn, icons],
  );
  return useMemo(() => ({ icons, urls, sizes, refresh, save, remove }), [icons, urls, sizes, refresh, save, remove]);
}
