import {
  memo,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { FocusEvent, ReactElement } from 'react';
import { BeamGradient, ringRadius } from '../../../ui/figures/index.ts';
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import { createFieldCamera, ownFigure } from './camera/fieldCamera.ts';
import { radiusOf } from './figures/figureExtent.ts';
import { createFieldCover } from './camera/fieldCover.ts';
import { createFieldHands, idIn } from './hands/fieldHands.ts';
import { createFieldKeys } from './hands/fieldKeys.ts';
import {
  FigureBeam,
  FigureBody,
  FigureName,
  FocusRing,
  HeldRing,
  HeldShadow,
  SelectionRing,
} from './figures/FigureParts.tsx';
import { NamedPointer } from './pointers/NamedPointer.tsx';
import { FIELD_HEIGHT, FIELD_WIDTH, toField } from './geometry.ts';
import { NAME_RANK } from '../names/nameText.ts';
import { groundKind, groundLook } from './ground.ts';
import { type DrawnLook } from './figures/figureSlot.ts';
import { createFieldRenderer } from './fieldRenderer.ts';
import type { FieldViewHandle, FieldViewProps, FigureOnField } from './fieldViewTypes.ts';
import styles from './FieldView.module.css';

/** Placing names and marks: a part of its own, so that the field stands sooner. */
const laterParts = lazyPart(() => import('./laterParts.ts'));

const RINGS = [1, 2, 3, 4, 5, 6].map((n) => Math.round(150 * ringRadius(n)));

/**
 * The field: figures on the lit ground, moved by mouse, finger, pen and keys. It fills its parent. Moves of any hand go
 * past React (see fieldRenderer.ts). React renders when figures come, go, change their looks or are taken, and then
 * only what changed. So pass the same list, the same figures and the same functions while nothing changed. What is seen
 * is in fieldCamera.ts, hands are in fieldHands.ts, keys in fieldKeys.ts. Colours come from the CSS variables
 * --fr-field, -text, -bg, -surface, -focus, -accent and -on-accent.
 */
export const FieldView = memo(function FieldView(props: FieldViewProps) {
  const {
    figures,
    selectedId,
    showBeams,
    showNames,
    reducedMotion,
    readOnly = false,
    texts,
    pointing = false,
    ground = null,
    sightId = null,
  } = props;
  const { scheme, style } = useMemo(() => groundLook(ground, props.scheme), [ground, props.scheme]);
  const uid = useId();
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  const focused = useRef<number | null>(null);
  const onMark = useRef((_figureId: number) => {});

  const [ownHold, setOwnHold] = useState<number | null>(null);
  const [panning, setPanning] = useState(false);
  /** Who (by name) holds what with another hand. */
  const [live, setLive] = useState<ReadonlyMap<number, string>>(new Map());
  const [people, setPeople] = useState<ReadonlyMap<number, string>>(new Map());
  const [keyFocus, setKeyFocus] = useState<number | null>(null);

  const [{ renderer, camera, hands, keys }] = useState(() => {
    const common = { root: () => root.current, props: () => latest.current };
    const renderer = createFieldRenderer({
      onCamera: (drawn) => camera.drawn(drawn),
      onSilent(figureIds, personIds) {
        setLive((before) => figureIds.reduce(without, before));
        setPeople((before) => personIds.reduce(without, before));
      },
    });
    const camera = createFieldCamera({ ...common, renderer: () => renderer, inHand: () => !hands.isIdle() });
    const hands = createFieldHands({
      ...common,
      renderer,
      camera,
      onPanning: setPanning,
      onMark: (figureId) => onMark.current(figureId),
      /** Gives the focus to a figure that a mouse has pressed, see `mouseDown` of the hands. */
      onDone(figureId, carried) {
        // A finger gives it by itself.
        if (hands.lastPointer() !== 'mouse') return;
        const focus = () => {
          if (document.activeElement === document.body)
            elementOf(root.current, figureId)?.focus({ preventScroll: true });
        };
        // After the frame that draws the drop.
        if (carried) requestAnimationFrame(() => requestAnimationFrame(focus));
        else focus();
      },
      onHold(figureId) {
        setOwnHold(figureId);
        if (figureId !== null) setLive((before) => without(before, figureId));
      },
    });
    return { renderer, camera, hands, keys: createFieldKeys({ ...common, renderer, camera, hands }) };
  });

  const parts = useLazyPart(laterParts, true);
  const arranger = useMemo(() => parts?.createArranger(), [parts]);
  const follower = useMemo(() => parts?.createLineFollower(), [parts]);
  useLayoutEffect(() => {
    if (arranger) renderer.setArranger(arranger);
    if (follower) renderer.setLines(follower);
  }, [renderer, arranger, follower]);

  /** Brings the figures of the mark that begins with one of them into view. */
  const showOutside = useCallback(
    (figureId: number, focus = false) => {
      const ids = arranger?.marks().find(({ figureIds }) => figureIds[0] === figureId)?.figureIds ?? [];
      const marked = latest.current.figures.filter(({ id }) => ids.includes(id)).map(camera.seen);
      if (parts) camera.look(parts.showFigures(renderer.camera(), camera.size(), marked), 'free', true);
      // The mark goes with what it stood for; the keyboard goes on from there.
      if (focus) elementOf(root.current, figureId)?.focus({ preventScroll: true });
    },
    [renderer, camera, parts, arranger],
  );
  useLayoutEffect(() => {
    onMark.current = showOutside;
  });

  const sorted = useMemo(() => [...figures].sort((a, b) => a.order - b.order || a.id - b.id), [figures]);
  const relations = useMemo(() => parts?.relationsOnField(sorted) ?? [], [parts, sorted]);
  const colors = useMemo(() => [...new Set(figures.map((figure) => figure.color))].join(' '), [figures]);

  useLayoutEffect(() => {
    latest.current = props;
  });

  useLayoutEffect(() => {
    renderer.setStill(reducedMotion);
  }, [renderer, reducedMotion]);

  useLayoutEffect(() => {
    const lookOf = (figure: FigureOnField): DrawnLook => {
      const held = ownHold === figure.id || live.has(figure.id);
      const selected = figure.id === selectedId;
      return {
        rank: rankOf({ held, selected, own: figure.own }),
        caption: showNames && figure.showText ? figure.caption : '',
        hasFace: figure.iconType !== 'CUSTOM',
        handle: selected && figure.movable && !readOnly,
        heldBy: live.get(figure.id) ?? '',
      };
    };
    renderer.setFigures(
      sorted.map((figure) => ({
        id: figure.id,
        x: figure.x,
        y: figure.y,
        rotation: figure.rotation,
        scale: figure.scale,
        radius: radiusOf(figure),
        lifted: ownHold === figure.id || live.has(figure.id),
        look: lookOf(figure),
      })),
    );
    // A lifted figure changes its layer, its element is a new one: React reports no blur then, so the focus is still
    // meant for it.
    if (focused.current !== null && document.activeElement === document.body)
      elementOf(root.current, focused.current)?.focus({ preventScroll: true });
    camera.keepInView(sorted);
  }, [renderer, camera, sorted, ownHold, live, selectedId, showNames, readOnly]);

  // The right to move was taken away, or the figure is gone, in the middle of a hold.
  useLayoutEffect(() => {
    if (ownHold === null || (!readOnly && figures.some((figure) => figure.id === ownHold && figure.movable))) return;
    hands.act({ type: 'taken', figureId: ownHold });
  }, [hands, ownHold, readOnly, figures]);

  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    camera.measure(true);
    const observer = new ResizeObserver(() => camera.measure(false));
    observer.observe(element);
    return () => observer.disconnect();
  }, [camera]);

  const cover = useMemo(
    () =>
      createFieldCover({
        root: () => root.current,
        onChange(boxes, clear, cameOrWent) {
          renderer.keepClear(boxes);
          camera.setClear(clear, cameOrWent);
        },
      }),
    [renderer, camera],
  );
  useEffect(() => cover.stop, [cover]);

  useEffect(
    () => () => {
      renderer.stop();
      hands.stop();
    },
    [renderer, hands],
  );

  // The figures of a first answer may come after the first measure: a view of the figures waits for them.
  const empty = figures.length === 0;
  const ownId = ownFigure(props)?.id;
  const firstLook = useRef(true);
  useLayoutEffect(() => {
    if (empty) return;
    camera.refit(!firstLook.current);
    firstLook.current = false;
  }, [camera, empty, ownId]);

  // React listens to wheels passively, and a passive listener can't keep the page from scrolling.
  useEffect(() => {
    const element = root.current;
    element?.addEventListener('wheel', hands.wheel, { passive: false });
    return () => element?.removeEventListener('wheel', hands.wheel);
  }, [hands]);

  useEffect(() => keys.listen(), [keys]);

  // Hide the pointer on other screens once the person stops pointing, by key or by button.
  useEffect(() => (pointing ? () => hands.pointEnd() : undefined), [pointing, hands]);

  useImperativeHandle(
    props.ref,
    (): FieldViewHandle => ({
      moveLive(figureId, place, byName) {
        if (!renderer.live(figureId, place)) return;
        const figure = latest.current.figures.find((candidate) => candidate.id === figureId);
        if (figure) camera.keepInView([figure]);
        const name = byName ?? '';
        setLive((before) => {
          if (before.has(figureId) && (byName === undefined || before.get(figureId) === name)) return before;
          return new Map(before).set(figureId, name);
        });
      },
      releaseLive(figureId) {
        renderer.liveEnd(figureId);
        setLive((before) => without(before, figureId));
      },
      releaseOthers() {
        renderer.releaseOthers();
        setLive((before) => (before.size === 0 ? before : new Map()));
        setPeople((before) => (before.size === 0 ? before : new Map()));
      },
      releaseOwn: hands.release,
      settle(figureId) {
        if (!hands.holds(figureId)) renderer.settle(figureId);
      },
      setPointer(personId, name, at) {
        if (at) renderer.point(personId, at);
        else renderer.pointEnd(personId);
        setPeople((before) => {
          if (!at) return without(before, personId);
          return before.get(personId) === name ? before : new Map(before).set(personId, name);
        });
      },
      zoomIn: () => camera.zoomBy(1.25),
      zoomOut: () => camera.zoomBy(0.8),
      drawnAt: (figureId) => renderer.drawnAt(figureId),
      fit: () => camera.fit('figures', true),
      fitOwn: () => camera.fit('own', true),
      screenToField: (clientX, clientY) => toField(renderer.camera(), camera.local(clientX, clientY)),
      focusFigure(figureId) {
        const place = renderer.placeOf(figureId);
        const figure = latest.current.figures.find((candidate) => candidate.id === figureId);
        if (place && figure) camera.bringIntoView(figure, place);
        elementOf(root.current, figureId)?.focus({ preventScroll: true });
      },
      keepClear: (element, away = 0) => cover.add(element, { away }),
      fitBeside: (element) => cover.add(element, { fitBeside: true }),
    }),
    [renderer, camera, hands, cover],
  );

  const attachWorld = useCallback((element: SVGGElement | null) => renderer.attachWorld(element), [renderer]);
  const attachNames = useCallback((element: SVGGElement | null) => renderer.attachNames(element), [renderer]);

  const lifted = useMemo(
    () => sorted.filter((figure) => figure.id === ownHold || live.has(figure.id)),
    [sorted, ownHold, live],
  );
  const standing = useMemo(
    () => (lifted.length === 0 ? sorted : sorted.filter((figure) => !lifted.includes(figure))),
    [sorted, lifted],
  );
  const selected = selectedId === null ? undefined : figures.find((figure) => figure.id === selectedId);

  const beamOf = useKept(
    useCallback(
      (figure: FigureOnField) => (
        <FigureBeam key={figure.id} renderer={renderer} id={figure.id} light={lightOf(uid, figure.color)} />
      ),
      [renderer, uid],
    ),
  );
  const nameOf = useKept(
    useCallback(
      (figure: FigureOnField) =>
        figure.showText && figure.caption.trim() !== '' ? (
          <FigureName key={figure.id} renderer={renderer} id={figure.id} own={figure.own === true} />
        ) : null,
      [renderer],
    ),
  );
  const drawBody = useCallback(
    (figure: FigureOnField, isSelected = false, up = false) => (
      <FigureBody
        key={figure.id}
        renderer={renderer}
        id={figure.id}
        kind={figure.iconType}
        color={figure.color}
        scheme={scheme}
        iconUrl={figure.iconUrl}
        iconWidth={figure.iconWidth}
        iconHeight={figure.iconHeight}
        label={figure.label}
        selected={isSelected}
        movable={figure.movable && !readOnly}
        lifted={up}
        describedBy={`${uid}help`}
      />
    ),
    [renderer, scheme, readOnly, uid],
  );
  const plainBodyOf = useKept(useCallback((figure: FigureOnField) => drawBody(figure), [drawBody]));

  const standingBeams = useMemo(() => showBeams && standing.map(beamOf), [showBeams, standing, beamOf]);
  const standingNames = useMemo(() => showNames && standing.map(nameOf), [showNames, standing, nameOf]);
  const standingBodies = useMemo(
    () => standing.map((figure) => (figure.id === selectedId ? drawBody(figure, true) : plainBodyOf(figure))),
    [standing, selectedId, drawBody, plainBodyOf],
  );
  const lights = useMemo(() => <Lights uid={uid} colors={colors} scheme={scheme} />, [uid, colors, scheme]);

  return (
    <div
      ref={root}
      className={props.className ? `${styles.view} ${props.className}` : styles.view}
      style={style}
      role="group"
      aria-label={texts.field}
      data-scheme={props.scheme}
      data-ground={groundKind(ground)}
      data-picture={ground?.url ? true : undefined}
      data-grasping={panning || ownHold !== null || undefined}
      data-pointing={pointing || undefined}
      data-still={reducedMotion || undefined}
      onPointerDown={hands.pointerDown}
      onPointerMove={hands.pointerMove}
      onPointerUp={hands.pointerUp}
      onPointerCancel={hands.pointerLost}
      onLostPointerCapture={hands.pointerLost}
      onPointerEnter={() => keys.hover(true)}
      onPointerLeave={() => {
        keys.hover(false);
        if (pointing) hands.pointEnd();
      }}
      onKeyDown={keys.keyDown}
      onKeyUp={keys.keyUp}
      onMouseDown={hands.mouseDown}
      onContextMenu={(event) => {
        // A long press of a finger is the start of a drag here.
        if (hands.lastPointer() !== 'mouse') event.preventDefault();
      }}
      onFocus={(event: FocusEvent) => {
        const id = idIn(event.target, 'figure');
        focused.current = id;
        const visible = id !== null && event.target.matches(':focus-visible');
        setKeyFocus(visible ? id : null);
        const place = id === null ? null : renderer.placeOf(id);
        const figure = figures.find((candidate) => candidate.id === id);
        if (visible && figure && place) camera.bringIntoView(figure, place);
      }}
      onBlur={() => {
        focused.current = null;
        setKeyFocus(null);
      }}
    >
      {ground?.url ? (
        <img
          key={ground.url}
          className={styles.groundPicture}
          src={ground.url}
          alt=""
          decoding="sync"
          draggable={false}
        />
      ) : null}
      {/*
        Each layer is an SVG of its own, so that the browser keeps the paint of all that stands while a hand moves. From
        below: 1 ground and light, 2 light and shadow of what is held, 3 relations, where there are any, 4 all that
        stands, 5 what is held, 6 the names of all that stands, 7 the name of what is held and the marks around it.
        Names lie above all bodies, so that none is ever covered.
      */}
      <svg width="100%" height="100%" aria-hidden className={styles.quiet}>
        {lights}
        <g ref={attachWorld}>
          {RINGED_GROUND}
          {standingBeams}
        </g>
      </svg>
      <svg width="100%" height="100%" aria-hidden className={styles.quiet}>
        <g ref={attachWorld}>
          {showBeams && lifted.map(beamOf)}
          {parts && sightId !== null && figures.some(({ id }) => id === sightId) && (
            <parts.SightWedge renderer={renderer} figureId={sightId} />
          )}
        </g>
        {lifted.map((figure) => (
          <HeldShadow key={figure.id} renderer={renderer} id={figure.id} light={`${uid}shadow`} />
        ))}
      </svg>
      {parts && follower && relations.length > 0 && (
        <svg width="100%" height="100%" aria-hidden className={styles.quiet}>
          <g ref={attachNames}>
            <parts.RelationLayer follower={follower} relations={relations} scheme={scheme} words={showNames} />
          </g>
        </svg>
      )}
      <svg width="100%" height="100%">
        <g ref={attachWorld}>{standingBodies}</g>
      </svg>
      <svg width="100%" height="100%" className={styles.through}>
        <g ref={attachWorld}>{lifted.map((figure) => drawBody(figure, figure.id === selectedId, true))}</g>
      </svg>
      <svg width="100%" height="100%" aria-hidden className={styles.quiet}>
        <g ref={attachNames}>{standingNames}</g>
      </svg>
      <svg width="100%" height="100%" aria-hidden className={styles.through}>
        <g ref={attachNames} className={styles.quiet}>
          {showNames && lifted.map(nameOf)}
        </g>
        <g className={styles.quiet}>
          {lifted.map(
            (figure) =>
              figure.id !== ownHold && (
                <HeldRing key={figure.id} renderer={renderer} id={figure.id} by={live.get(figure.id) ?? ''} />
              ),
          )}
          {keyFocus !== null && figures.some((figure) => figure.id === keyFocus) && (
            <FocusRing key={`focus${keyFocus}`} renderer={renderer} id={keyFocus} />
          )}
          {selected && (
            <SelectionRing
              key={`ring${selected.id}`}
              renderer={renderer}
              id={selected.id}
              handle={selected.movable && !readOnly}
            />
          )}
          {[...people].map(([id, name]) => (
            <NamedPointer key={id} renderer={renderer} id={id} name={name} />
          ))}
        </g>
      </svg>
      {parts && arranger && (
        <parts.EdgeMarks
          arranger={arranger}
          figures={figures}
          scheme={scheme}
          label={texts.outside}
          show={texts.show}
          onShow={showOutside}
        />
      )}
      <span id={`${uid}help`} className={styles.unseen}>
        {texts.keyboardHelp}
      </span>
      {(panning || ownHold !== null) && <div className={styles.grasp} data-grasp />}
    </div>
  );
});

const elementOf = (root: HTMLElement | null, id: number) =>
  root?.querySelector<SVGGElement>(`[data-figure="${id}"]`) ?? null;
const lightOf = (uid: string, color: string) => `${uid}beam${color.replace(/[^0-9a-z]/gi, '')}`;

/** The field's edges, at which every hand stops, and the rings. */
const RINGED_GROUND = (
  <g className={styles.rings}>
    <rect className={styles.edgeLight} width={FIELD_WIDTH} height={FIELD_HEIGHT} rx={20} />
    <rect data-edges width={FIELD_WIDTH} height={FIELD_HEIGHT} rx={20} />
    {RINGS.map((r) => (
      <circle key={r} cx={FIELD_WIDTH / 2} cy={FIELD_HEIGHT / 2} r={r} />
    ))}
  </g>
);

/** One light for each colour (parted by spaces), and the shadow of what is held. */
function Lights({ uid, colors, scheme }: { uid: string; colors: string; scheme: FieldViewProps['scheme'] }) {
  return (
    <defs>
      {colors
        .split(' ')
        .filter(Boolean)
        .map((color) => (
          <BeamGradient key={color} id={lightOf(uid, color)} tone={color} scheme={scheme} />
        ))}
      <radialGradient id={`${uid}shadow`}>
        <stop offset={0.45} stopColor="#000" stopOpacity={scheme === 'dark' ? 0.6 : 0.3} />
        <stop offset={0.75} stopColor="#000" stopOpacity={scheme === 'dark' ? 0.3 : 0.14} />
        <stop offset={1} stopColor="#000" stopOpacity={0} />
      </radialGradient>
    </defs>
  );
}

/** The same element for the same figure: React passes over it without a look at its props. */
function useKept(draw: (figure: FigureOnField) => ReactElement | null): (figure: FigureOnField) => ReactElement | null {
  return useMemo(() => {
    const kept = new WeakMap<FigureOnField, ReactElement | null>();
    return (figure) => {
      let element = kept.get(figure);
      if (element === undefined) kept.set(figure, (element = draw(figure)));
      return element;
    };
  }, [draw]);
}

/** Whose name finds its place first. */
function rankOf({ held, selected, own }: { held: boolean; selected: boolean; own: boolean | undefined }): number {
  if (held) return NAME_RANK.held;
  if (selected) return NAME_RANK.selected;
  return own ? NAME_RANK.own : NAME_RANK.other;
}

function without(map: ReadonlyMap<number, string>, key: number): ReadonlyMap<number, string> {
  if (!map.has(key)) return map;
  const next = new Map(map);
  next.delete(key);
  return next;
}
