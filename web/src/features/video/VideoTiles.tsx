/** The room's video tiles: a strip beside the field, half of the room, or all of it (docs/product.md#11.7). */
import {
  IconArrowBackUp,
  IconArrowsMaximize,
  IconChevronLeft,
  IconChevronRight,
  IconGripHorizontal,
  IconPictureInPicture,
} from '@tabler/icons-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { VideoTile } from './VideoTile.tsx';
import { gridPage, gridShape, type Tile, tilesOf } from './videoModel.ts';
import { useVideoPart, useVideoStore } from './useVideo.ts';
import styles from './video.module.css';

export interface VideoTilesProps {
  me: { id: number; as: 'therapist' | 'client'; name: string };
  therapist: { id: number; name: string };
  people: readonly { id: number; name: string; handRaisedOn?: string | null }[];
  phone: boolean;
}

/** Shown while this person takes part; `LazyVideoTiles` fetches it then. */
export function VideoTiles({ me, therapist, people, phone }: VideoTilesProps) {
  const { t } = useTranslation('video');
  const store = useVideoStore();
  const media = useVideoPart((model) => model.media);
  const room = useVideoPart((model) => model.room);
  const { layout, strip, showOwn } = useVideoPart((model) => model.view);
  const page = useVideoPart((model) => model.page);
  const tiles = useMemo(
    () => tilesOf({ me, therapist, people, media, room, showOwn }),
    [me, therapist, people, media, room, showOwn],
  );
  const box = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const place = useSize(body);
  const form = layout === 'field' ? (phone ? 'phone' : strip) : 'grid';
  const shown = pageOf(form, tiles, page, size);
  const shape =
    form === 'grid' ? gridShape(shown.others.length, shown.therapist !== null, gridColumns(size), place) : null;

  const visible = [shown.therapist, ...shown.others].flatMap((tile) => (tile && !tile.own ? [tile.id] : []));
  const key = visible.join(',');
  useEffect(() => {
    store.show(key === '' ? [] : key.split(',').map(Number));
  }, [store, key]);
  useEffect(() => () => store.show([]), [store]);

  const float = useFloat(form === 'float', box);
  return (
    <>
      <section
        ref={box}
        className={styles.tiles}
        aria-label={t('video')}
        data-form={form}
        data-me={me.as}
        {...(form === 'float' ? { style: float.style } : {})}
      >
        {form === 'float' && (
          <button type="button" className={styles.grip} aria-label={t('float.move')} {...float.handlers}>
            <IconGripHorizontal size={20} stroke={1.75} aria-hidden />
          </button>
        )}
        {form === 'grid' && <GridTools box={box} therapist={tiles.therapist} />}
        <div
          ref={body}
          className={styles.tilesBody}
          data-beside={shape?.beside || undefined}
          style={
            (shape
              ? {
                  '--columns': shape.columns,
                  ...(shape.tile > 0 ? { '--tile': `${shape.tile}px`, '--lead': `${shape.lead}px` } : {}),
                }
              : {}) as CSSProperties
          }
        >
          {shown.therapist && <VideoTile tile={shown.therapist} large={form === 'grid' || form === 'phone'} />}
          <div className={styles.otherTiles} data-testid="other-tiles">
            {shown.others.map((tile) => (
              <VideoTile key={tile.id} tile={tile} />
            ))}
            {form === 'phone' && shown.hidden > 0 && (
              <button type="button" className={styles.more} onClick={() => store.setView({ layout: 'gallery' })}>
                {t('more', { count: shown.hidden })}
              </button>
            )}
          </div>
        </div>
        {form !== 'phone' && shown.pages > 1 && (
          <nav className={styles.pages} aria-label={t('pages.label')}>
            <button
              type="button"
              aria-label={t('pages.before')}
              disabled={shown.page === 0}
              onClick={() => store.setPage(shown.page - 1)}
            >
              <IconChevronLeft size={20} stroke={1.75} aria-hidden />
            </button>
            <span aria-live="polite">{t('pages.at', { page: shown.page + 1, pages: shown.pages })}</span>
            <button
              type="button"
              aria-label={t('pages.after')}
              disabled={shown.page === shown.pages - 1}
              onClick={() => store.setPage(shown.page + 1)}
            >
              <IconChevronRight size={20} stroke={1.75} aria-hidden />
            </button>
          </nav>
        )}
      </section>
      {layout === 'gallery' && (
        <button type="button" className={styles.backToField} onClick={() => store.setView({ layout: 'field' })}>
          <span>
            <IconArrowBackUp size={18} stroke={1.75} aria-hidden />
            {t('layout.back')}
          </span>
        </button>
      )}
    </>
  );
}

/** Four columns, three where there is less space (docs/product.md#10.7). */
const gridColumns = ({ width }: { width: number }) => (width > 0 && width < 760 ? 3 : 4);

/** Which tiles are on the page, by form. Takes the box in px. */
function pageOf(
  form: 'phone' | 'grid' | 'top' | 'right' | 'float',
  tiles: { therapist: Tile | null; others: Tile[] },
  page: number,
  size: { width: number; height: number },
) {
  const { therapist, others } = tiles;
  if (form === 'phone') {
    const hidden = others.length > 4 ? others.length - 3 : 0;
    const own = others.filter((tile) => tile.own);
    const rest = others.filter((tile) => !tile.own).sort((a, b) => Number(b.talking) - Number(a.talking));
    const first = [...rest.slice(0, (hidden > 0 ? 3 : 4) - own.length), ...own];
    return { therapist, others: first, hidden, page: 0, pages: 1 };
  }
  if (form === 'grid') {
    const grid = gridPage(others.length, gridColumns(size), page);
    return { therapist, others: others.slice(grid.from, grid.to), hidden: 0, ...grid };
  }
  // A strip holds what its length allows; the therapist's tile is on every page.
  const fits =
    form === 'top' ? Math.floor((size.width + 8) / 146) : form === 'right' ? Math.floor((size.height + 8) / 134) : 6;
  const perPage = Math.min(
    12,
    Math.max(1, fits - (therapist ? 1 : 0) - (others.length > fits - (therapist ? 1 : 0) && form === 'top' ? 1 : 0)),
  );
  const strip = gridPage(others.length, perPage, page, perPage);
  return { therapist, others: others.slice(strip.from, strip.to), hidden: 0, ...strip };
}

/** Full screen, and the therapist's video in a window of its own, where the browser has them. */
function GridTools({ box, therapist }: { box: React.RefObject<HTMLElement | null>; therapist: Tile | null }) {
  const { t } = useTranslation('video');
  const [full, setFull] = useState(false);
  useEffect(() => {
    const look = () => setFull(document.fullscreenElement === box.current && box.current !== null);
    document.addEventListener('fullscreenchange', look);
    return () => document.removeEventListener('fullscreenchange', look);
  }, [box]);
  const inWindow = async () => {
    const video =
      box.current?.querySelector<HTMLVideoElement>(
        therapist && !therapist.own ? '[data-therapist] video' : '[data-person][data-video]:not([data-own]) video',
      ) ?? box.current?.querySelector('video');
    try {
      if (document.pictureInPictureElement) await document.exitPictureInPicture();
      else await video?.requestPictureInPicture();
    } catch {
      /* The browser wants a video that plays; the button can be pressed again. */
    }
  };
  const toggleFull = () =>
    void (full ? document.exitFullscreen() : box.current?.requestFullscreen())?.catch(() => undefined);
  return (
    <div className={styles.tools}>
      {document.pictureInPictureEnabled && (
        <button type="button" onClick={() => void inWindow()}>
          <IconPictureInPicture size={20} stroke={1.75} aria-hidden />
          {t('tools.window')}
        </button>
      )}
      {document.fullscreenEnabled && (
        <button type="button" aria-pressed={full} onClick={toggleFull}>
          <IconArrowsMaximize size={20} stroke={1.75} aria-hidden />
          {full ? t('tools.notFull') : t('tools.full')}
        </button>
      )}
    </div>
  );
}

function useSize(box: React.RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  const watched = useRef<{ element: HTMLElement; observer: ResizeObserver } | null>(null);
  // The box exists only while taking part: look for it after every render, observe it only when it is another one.
  useLayoutEffect(() => {
    const element = box.current;
    if (watched.current?.element === element) return;
    watched.current?.observer.disconnect();
    watched.current = null;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry)
        setSize((before) =>
          before.width === entry.contentRect.width && before.height === entry.contentRect.height
            ? before
            : { width: entry.contentRect.width, height: entry.contentRect.height },
        );
    });
    observer.observe(element);
    watched.current = { element, observer };
  });
  useEffect(
    () => () => {
      watched.current?.observer.disconnect();
      watched.current = null;
    },
    [],
  );
  return size;
}

/** Moves a floating strip by its grip or by arrow keys, inside the field's box. */
function useFloat(on: boolean, box: React.RefObject<HTMLElement | null>) {
  const [at, setAt] = useState({ x: 16, y: 16 });
  const from = useRef<{ x: number; y: number; pointer: number } | null>(null);
  const move = (x: number, y: number) => {
    const element = box.current;
    const parent = element?.parentElement;
    const most =
      element && parent
        ? { x: parent.clientWidth - element.offsetWidth - 8, y: parent.clientHeight - element.offsetHeight - 8 }
        : { x, y };
    setAt({ x: Math.max(8, Math.min(x, most.x)), y: Math.max(8, Math.min(y, most.y)) });
  };
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      event.currentTarget.setPointerCapture(event.pointerId);
      from.current = { x: event.clientX - at.x, y: event.clientY - at.y, pointer: event.pointerId };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (from.current?.pointer === event.pointerId)
        move(event.clientX - from.current.x, event.clientY - from.current.y);
    },
    onPointerUp() {
      from.current = null;
    },
    onPointerCancel() {
      from.current = null;
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const step = event.shiftKey ? 64 : 16;
      const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      move(at.x + (by[0] ?? 0), at.y + (by[1] ?? 0));
    },
  };
  return { style: on ? { insetInlineStart: at.x, insetBlockStart: at.y } : {}, handlers };
}
