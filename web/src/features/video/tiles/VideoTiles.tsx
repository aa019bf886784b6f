/** The room's video tiles: a strip beside the field, half of the room, or all of it (docs/product.md#11.7). */
import { TILES_A_PAGE } from '@fieldroom/contract/video';
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
import { LOW_SCREEN, useMediaQuery } from '../../../ui/useMediaQuery.ts';
import { VideoTile } from './VideoTile.tsx';
import {
  gridPage,
  gridShape,
  phoneTiles,
  stageShape,
  lengthOf,
  STRIP,
  stripTiles,
  type Crowd,
  type Tile,
  type Tiles,
  tilesOf,
} from './tileModel.ts';
import { useVideoPart, useVideoStore } from '../store/useVideo.ts';
import type { Strip } from '../store/videoModel.ts';
import styles from '../video.module.css';

export interface VideoTilesProps {
  me: { id: number; as: 'therapist' | 'client'; name: string };
  therapist: { id: number; name: string };
  people: readonly { id: number; name: string; handRaisedOn?: string | null }[];
  phone: boolean;
  /** Takes an element over the field; the returned function is called when it is removed. A stable function. */
  onPlace(element: Element): (() => void) | undefined;
}

/** `phone` is below the field, `low` beside it on a phone in landscape. */
type Form = 'phone' | 'low' | 'grid' | 'top' | 'right' | 'float';

/** The form beside the field: a phone has no choice. */
function besideField(strip: Strip, phone: boolean, low: boolean): Form {
  if (low) return 'low';
  return phone ? 'phone' : strip;
}

/** Shown while this person takes part; `LazyVideoTiles` fetches it then. */
export function VideoTiles({ me, therapist, people, phone, onPlace }: VideoTilesProps) {
  const { t } = useTranslation('video');
  const store = useVideoStore();
  const media = useVideoPart((model) => model.media);
  const room = useVideoPart((model) => model.room);
  const { layout, strip, showOwn } = useVideoPart((model) => model.view);
  const page = useVideoPart((model) => model.page);
  const low = useMediaQuery(LOW_SCREEN);
  const tiles = useMemo(
    () => tilesOf({ me, therapist, people, media, room, showOwn }),
    [me, therapist, people, media, room, showOwn],
  );
  const { lead, own, staged } = tiles;
  const box = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const place = useSize(body);
  const form = layout === 'field' ? besideField(strip, phone, low) : 'grid';
  const onPhone = form === 'phone' || form === 'low';
  const preview = layout === 'gallery' && !phone;
  const shown = pageOf(form, me.as, tiles, { page, size, preview });
  const { stage, others } = shown;

  const visible = [lead, ...stage, ...others].flatMap((tile) => (tile ? [tile.id] : []));
  const key = visible.join(',');
  useEffect(() => {
    store.show(key === '' ? [] : key.split(',').map(Number));
  }, [store, key]);
  useEffect(() => () => store.show([]), [store]);

  const arrangement = arrange(
    form,
    { ...tiles, stage, others },
    { hidden: shown.hidden, crowd: shown.crowd, most: gridColumns(size), preview },
    place,
  );
  const float = useFloat(form === 'float', box, me.as === 'client' ? 80 : 16, onPlace);
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
        {form === 'grid' && <GridTools box={box} therapist={lead} />}
        <div ref={body} className={styles.tilesBody} {...arrangement}>
          <div className={styles.mainTiles}>
            {staged ? (
              <div className={styles.stageTiles} data-testid="stage-tiles">
                {lead && <VideoTile tile={lead} large />}
                {stage.map((tile) => (
                  <VideoTile key={tile.id} tile={tile} large />
                ))}
              </div>
            ) : (
              lead && <VideoTile tile={lead} large={form === 'grid' || onPhone} />
            )}
            <div className={styles.otherTiles} data-testid="other-tiles">
              {others.map((tile) => (
                <VideoTile key={tile.id} tile={tile} />
              ))}
              {shown.hidden > 0 && (
                <button type="button" className={styles.more} onClick={() => store.setView({ layout: 'gallery' })}>
                  {t('more', { count: shown.hidden })}
                </button>
              )}
            </div>
          </div>
          {own && <VideoTile tile={own} therapist={therapist.name} />}
        </div>
        {!onPhone && shown.pages > 1 && (
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

/** Four columns, three if there is less width and enough height for more rows (docs/product.md#10.7). */
const gridColumns = ({ width, height }: { width: number; height: number }) =>
  width > 0 && width < 760 && height > width / 2 ? 3 : 4;

/** A floating strip has six places; the therapist's tile takes two. */
const FLOAT_PLACES = 6;
/** With a stage, a floating strip has three rows of six parts: a large tile takes three, a small one two. */
const FLOAT_STAGE = { parts: 18, large: 3, small: 2 } as const;

/**
 * Which clients' tiles are on the page, by form; the therapist's and one's own are on every page. Takes the box in px.
 */
function pageOf(
  form: Form,
  as: 'therapist' | 'client',
  tiles: Tiles,
  { page, size, preview }: { page: number; size: { width: number; height: number }; preview: boolean },
) {
  const { lead, own, staged } = tiles;
  if (form === 'phone' || form === 'low') return { ...phoneTiles(as, tiles, form, size), page: 0, pages: 1 };
  if (form === 'grid') {
    const perPage = staged ? stageOf(tiles, { most: gridColumns(size), preview }, size).perPage : TILES_A_PAGE;
    const grid = gridPage(tiles.others.length, gridColumns(size), page, perPage);
    return { stage: tiles.stage, others: tiles.others.slice(grid.from, grid.to), hidden: 0, crowd: null, ...grid };
  }
  const length = lengthOf(form, size);
  const strip = stripTiles(form, tiles, size);
  if (strip.crowd || strip.hidden > 0) return { ...strip, page: 0, pages: 1 };
  const { stage, others } = strip;
  const large = stage.length + Number(lead !== null);
  const fit = (pager: boolean): number => {
    if (form === 'float')
      return staged
        ? Math.floor((FLOAT_STAGE.parts - large * FLOAT_STAGE.large) / FLOAT_STAGE.small) - Number(own !== null)
        : FLOAT_PLACES - (lead ? 2 : 0) - (own ? 1 : 0);
    const measures = STRIP[form];
    const taken =
      (lead ? measures.lead : 0) +
      stage.length * measures.tile +
      (own ? measures.own : 0) +
      (pager ? measures.pages : 0);
    return Math.floor((length - taken) / (staged ? measures.own : measures.tile));
  };
  const perPage = Math.min(12, Math.max(1, others.length > fit(false) ? fit(true) : fit(false)));
  const row = gridPage(others.length, perPage, page, perPage);
  return { stage, others: others.slice(row.from, row.to), hidden: 0, crowd: null, ...row };
}

/** The measures of a stage with these tiles. */
const stageOf = (
  { lead, stage, others, own }: Tiles,
  room: { most: number; preview: boolean },
  box: { width: number; height: number },
) =>
  stageShape({ large: stage.length + Number(lead !== null), others: others.length, own: own !== null, ...room }, box);

/** The arrangement of the tiles on a page, for the style sheet. */
function arrange(
  form: Form,
  tiles: Tiles,
  { hidden, crowd, most, preview }: { hidden: number; crowd: Crowd | null; most: number; preview: boolean },
  place: { width: number; height: number },
): { style?: CSSProperties } & Record<`data-${string}`, string | number | boolean | undefined> {
  const { lead, stage, others, own, staged } = tiles;
  if (crowd)
    return {
      'data-crowd': crowd.side,
      'data-grown': crowd.grown || undefined,
      'data-small': others.length > 0 || hidden > 0 || own ? '' : undefined,
      style: { '--columns': crowd.columns, '--rows': crowd.rows } as CSSProperties,
    };
  if (form === 'phone' || form === 'low') {
    const cells = others.length + Number(hidden > 0);
    if (staged)
      return {
        'data-staged': true,
        // Another person, or the button for all, and one's own.
        'data-small': cells > 0 || own ? '' : undefined,
        style: { '--large': stage.length + Number(lead !== null) } as CSSProperties,
      };
    return {
      'data-cells': cells,
      'data-lead': lead ? '' : undefined,
      'data-own': own ? '' : undefined,
    };
  }
  if (form !== 'grid') return { 'data-staged': staged || undefined };
  const shape = gridShape({ count: others.length, lead: lead !== null, own: own !== null, most, preview }, place);
  const px = (value: number) => (value > 0 ? `${value}px` : undefined);
  if (staged) {
    const { tile, small, columns } = stageOf(tiles, { most, preview }, place);
    return {
      'data-staged': true,
      'data-preview': preview || undefined,
      style: { '--columns': columns, '--tile': px(tile), '--small': px(small) } as CSSProperties,
    };
  }
  return {
    'data-lead': shape.leadBeside ? 'beside' : undefined,
    'data-own': shape.ownBeside ? 'beside' : undefined,
    'data-preview': preview || undefined,
    style: {
      '--columns': shape.columns,
      '--tile': px(shape.tile),
      '--lead': px(shape.lead),
      '--own': px(shape.own),
    } as CSSProperties,
  };
}

/** Full screen, and the therapist's video in a separate window, if the browser has them. */
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
      /* The browser requires a playing video; the button can be pressed again. */
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
  // The box exists only while taking part: look for it after every render, and observe it only if it is a new one.
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

/**
 * Moves a floating strip by its grip or by arrow keys, inside the field's box. It begins `top` px from there: below the
 * tools in the corner of a client's field. The field receives its area, initially and after each move.
 */
function useFloat(
  on: boolean,
  box: React.RefObject<HTMLElement | null>,
  top: number,
  onPlace: VideoTilesProps['onPlace'],
) {
  const [at, setAt] = useState({ x: 16, y: top });
  /** The result of the last move; `at` follows it during the drag. */
  const last = useRef(at);
  const [moves, setMoves] = useState(0);
  useLayoutEffect(() => (on && box.current ? onPlace(box.current) : undefined), [on, box, onPlace, moves]);
  const from = useRef<{ x: number; y: number; pointer: number } | null>(null);
  const move = (x: number, y: number) => {
    const element = box.current;
    const parent = element?.parentElement;
    const most =
      element && parent
        ? { x: parent.clientWidth - element.offsetWidth - 8, y: parent.clientHeight - element.offsetHeight - 8 }
        : { x, y };
    last.current = { x: Math.max(8, Math.min(x, most.x)), y: Math.max(8, Math.min(y, most.y)) };
    setAt(last.current);
  };
  const rest = () => {
    from.current = null;
    setAt(last.current);
    setMoves((count) => count + 1);
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
    onPointerUp: rest,
    onPointerCancel: rest,
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const step = event.shiftKey ? 64 : 16;
      const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      move(at.x + (by[0] ?? 0), at.y + (by[1] ?? 0));
      rest();
    },
  };
  return { style: on ? { insetInlineStart: at.x, insetBlockStart: at.y } : {}, handlers };
}
