/** The field as a component: it joins renderer, camera, drags and keys, and handles the events of its element. */
import { memo, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { FocusEvent } from 'react';
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import { createFieldCamera } from './camera/fieldCamera.ts';
import { useFittedCamera } from './camera/useFittedCamera.ts';
import { FieldLayers, helpId } from './FieldLayers.tsx';
import { createFieldRenderer } from './fieldRenderer.ts';
import type { FieldViewProps } from './fieldViewTypes.ts';
import { drawnFigures } from './figures/drawnFigures.ts';
import { elementOf, focusNearest, idIn } from './figures/figureElement.ts';
import { groundKind, groundLook } from './ground.ts';
import { createFieldHands } from './hands/fieldHands.ts';
import { createFieldKeys } from './hands/fieldKeys.ts';
import { useFieldHandle } from './useFieldHandle.ts';
import { useOthersOnField } from './useOthersOnField.ts';
import styles from './FieldView.module.css';

/** Delay the focus past the frames that draw the drop and the server's answer, because focusing forces a layout. */
const FOCUS_AFTER_DROP_MS = 120;

/** Placing names and marks: loaded separately so that the field appears sooner. */
const laterParts = lazyPart(() => import('./laterParts.ts'));

/**
 * The field: figures on the lit ground, moved by mouse, finger, pen and keys. It fills its parent. Drags bypass React
 * (see fieldRenderer.ts). React renders when figures are added, removed, restyled or picked up, and then only what
 * changed. So pass the same list, the same figures and the same functions while nothing changed. The drawing is in
 * FieldLayers.tsx, the visible part in camera/, mouse, finger, pen and keys in hands/. Colours come from the CSS
 * variables --fr-field, -text, -bg, -surface, -focus, -accent and -on-accent.
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
  } = props;
  const { scheme, style } = useMemo(() => groundLook(ground, props.scheme), [ground, props.scheme]);
  const uid = useId();
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  const focused = useRef<number | null>(null);
  const onMark = useRef((_figureId: number) => {});

  const [ownHold, setOwnHold] = useState<number | null>(null);
  const [panning, setPanning] = useState(false);
  const { holders, pointing: people, others } = useOthersOnField();
  const [keyFocus, setKeyFocus] = useState<number | null>(null);

  const [{ renderer, camera, hands, keys }] = useState(() => {
    const common = { root: () => root.current, props: () => latest.current };
    const renderer = createFieldRenderer({ onCamera: (drawn) => camera.drawn(drawn), onSilent: others.silent });
    const camera = createFieldCamera({ ...common, renderer: () => renderer, inHand: () => !hands.isIdle() });
    const hands = createFieldHands({
      ...common,
      renderer,
      camera,
      onPanning: setPanning,
      onMark: (figureId) => onMark.current(figureId),
      /** Focuses a figure that a mouse has pressed, see `mouseDown` in hands/. */
      onDone(figureId, carried) {
        // A finger focuses it anyway.
        if (hands.lastPointer() !== 'mouse') return;
        const focus = () => {
          if (document.activeElement === document.body && hands.isIdle())
            elementOf(root.current, figureId)?.focus({ preventScroll: true });
        };
        if (carried) setTimeout(focus, FOCUS_AFTER_DROP_MS);
        else focus();
      },
      onHold(figureId) {
        setOwnHold(figureId);
        if (figureId !== null) others.letGo(figureId);
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

  /** Scrolls to the figures of a mark, given its first figure. */
  const showOutside = useCallback(
    (figureId: number, focus = false) => {
      const ids = arranger?.marks().find(({ figureIds }) => figureIds[0] === figureId)?.figureIds ?? [];
      const marked = latest.current.figures.filter(({ id }) => ids.includes(id)).map(camera.seen);
      if (parts) camera.look(parts.showFigures(renderer.camera(), camera.size(), marked), 'free', true);
      // The mark disappears once its figures are in view; the keyboard continues at the figure.
      if (focus) elementOf(root.current, figureId)?.focus({ preventScroll: true });
    },
    [renderer, camera, parts, arranger],
  );
  useLayoutEffect(() => {
    onMark.current = showOutside;
  });

  const sorted = useMemo(() => [...figures].sort((a, b) => a.order - b.order || a.id - b.id), [figures]);

  useLayoutEffect(() => {
    latest.current = props;
  });

  useLayoutEffect(() => {
    renderer.setStill(reducedMotion);
  }, [renderer, reducedMotion]);

  useLayoutEffect(() => {
    const focusedAt = focused.current === null ? null : renderer.placeOf(focused.current);
    renderer.setFigures(drawnFigures(sorted, { ownHold, holders, selectedId, showNames, readOnly }));
    // Lifting re-creates the element, and React fires no blur for the old one; restore the focus.
    if (focused.current !== null && document.activeElement === document.body) {
      if (sorted.some(({ id }) => id === focused.current))
        elementOf(root.current, focused.current)?.focus({ preventScroll: true });
      else {
        // The figure has gone.
        focused.current = null;
        if (focusedAt) focusNearest(root.current, sorted, focusedAt);
      }
    }
    camera.keepInView(sorted);
  }, [renderer, camera, sorted, ownHold, holders, selectedId, showNames, readOnly]);

  // The permission to move was withdrawn, or the figure was removed, during a hold.
  useLayoutEffect(() => {
    if (ownHold === null || (!readOnly && figures.some((figure) => figure.id === ownHold && figure.movable))) return;
    hands.act({ type: 'taken', figureId: ownHold });
  }, [hands, ownHold, readOnly, figures]);

  const cover = useFittedCamera(root, { renderer, camera }, props);

  useEffect(
    () => () => {
      renderer.stop();
      hands.stop();
    },
    [renderer, hands],
  );

  // React listens to wheels passively, and a passive listener can't prevent the page from scrolling.
  useEffect(() => {
    const element = root.current;
    element?.addEventListener('wheel', hands.wheel, { passive: false });
    return () => element?.removeEventListener('wheel', hands.wheel);
  }, [hands]);

  useEffect(() => keys.listen(), [keys]);

  // Remove the pointer from other screens once the person stops pointing, by key or by button.
  useEffect(() => (pointing ? () => hands.pointEnd() : undefined), [pointing, hands]);

  useFieldHandle(props.ref, { root, latest, renderer, camera, hands, cover, others });

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
      <FieldLayers
        renderer={renderer}
        uid={uid}
        figures={sorted}
        scheme={scheme}
        selectedId={selectedId}
        showBeams={showBeams}
        showNames={showNames}
        readOnly={readOnly}
        ground={ground}
        sightId={props.sightId}
        ownHold={ownHold}
        holders={holders}
        pointing={people}
        keyFocus={keyFocus}
        parts={parts}
        follower={follower}
      />
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
      <span id={helpId(uid)} className={styles.unseen}>
        {texts.keyboardHelp}
      </span>
      <div className={styles.grasp} data-grasp={panning || ownHold !== null || undefined} />
    </div>
  );
});
