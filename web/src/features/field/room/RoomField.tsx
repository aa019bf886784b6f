/** The field in the room: joins the drawing with the store. */
import type { Person } from '@fieldroom/contract/clients';
import type { Figure, Mover } from '@fieldroom/contract/field';
import { type ReactNode, type Ref, useCallback, useImperativeHandle, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useMediaQuery } from '../../../ui/useMediaQuery.ts';
import { type FieldGround, FieldView, type FieldViewHandle, groundKind, groundLook } from '../drawing/index.ts';
import type { IconLibrary } from '../icons/iconLibrary.ts';
import { LazySightPanel } from '../sight/LazySightPanel.tsx';
import { useFieldPart, useFieldStore } from '../useField.ts';
import { useFiguresOnField } from './useFiguresOnField.ts';
import { useOthersHands } from './useOthersHands.ts';
import { type CameraListener, useOwnHand } from './useOwnHand.ts';
import { ZoomBar } from './ZoomBar.tsx';
import { FIELD_ID } from './SkipToField.tsx';
import parts from '../../../ui/roomParts.module.css';
import styles from './RoomField.module.css';

/** What the other parts of the room ask of the field. */
export type RoomFieldHandle = Pick<FieldViewHandle, 'focusFigure' | 'focusBeside' | 'keepClear' | 'fitBeside'>;

export interface RoomFieldProps {
  ref?: Ref<RoomFieldHandle>;
  me: { id: number; mover: Mover };
  /** The clients in the room: they hold roles and drag figures. */
  people: readonly Person[];
  /** Drags figures without being one of the clients. */
  therapistName: string;
  /** Nobody may move anything on this screen. */
  still: boolean;
  scheme: 'light' | 'dark';
  /** The background; null or undefined while it is not known. */
  ground?: FieldGround | null;
  beams: boolean;
  library: IconLibrary;
  selectedId: number | null;
  onSelect(id: number | null): void;
  pointing: boolean;
  onPointing(on: boolean): void;
  onRemoveAsked?: (figure: Figure) => void;
  /** Enter was pressed on a figure: its name is to be edited. */
  onNameAsked?: (figureId: number) => void;
  /** On a phone: the view changes between all figures and this person's own. */
  ownView: boolean;
  /** Which of several own figures is shown; by default the first. */
  ownId?: number | null;
  /** The figure from which this person looks; null or undefined for none. */
  sightId?: number | null;
  /** Looking has ended. */
  onSightEnd?: () => void;
  emptyText: { title: string; hint?: string };
  children?: ReactNode;
}

/**
 * The field of both rooms, with zoom bar, empty text and sight. Draws the field's store and sends drags, keys and
 * pointers to it. Children are drawn over the field. The ref moves focus and view, and keeps names clear of elements
 * over the field.
 */
export function RoomField(props: RoomFieldProps) {
  const { t } = useTranslation('field');
  const {
    me,
    people,
    still,
    library,
    scheme,
    ground = null,
    therapistName,
    onSelect,
    onRemoveAsked,
    onNameAsked,
    sightId = null,
    onSightEnd,
  } = props;
  const store = useFieldStore();
  const fieldKnown = useFieldPart((model) => model.field !== null);
  const view = useRef<FieldViewHandle>(null);
  const camera = useRef<CameraListener>(() => undefined);
  const reducedMotion = useMediaQuery('(prefers-reduced-motion: reduce)');
  const figures = useFiguresOnField({ me, people, still, library });

  const names = useMemo(() => new Map(people.map((person) => [person.id, person.name])), [people]);
  const nameOf = useCallback((personId: number) => names.get(personId) ?? therapistName, [names, therapistName]);
  useOthersHands(store, view, nameOf);
  const ownHand = useOwnHand(store, {
    camera,
    onSelect,
    ...(onRemoveAsked ? { onRemoveAsked } : {}),
    ...(onNameAsked ? { onNameAsked } : {}),
  });
  useImperativeHandle(
    props.ref,
    () => ({
      focusFigure: (figureId) => view.current?.focusFigure(figureId),
      focusBeside: (figureId) => view.current?.focusBeside(figureId),
      keepClear: (element, away) => view.current?.keepClear(element, away) ?? (() => undefined),
      fitBeside: (element) => view.current?.fitBeside(element) ?? (() => undefined),
    }),
    [],
  );
  const texts = useMemo(
    () => ({
      field: t('label'),
      keyboardHelp: t('keysHint'),
      outside: t('outside.label'),
      show: (names: readonly string[]) =>
        t(names.length === 1 ? 'outside.show' : 'outside.showSeveral', {
          number: names.length,
          names: names.join(', '),
        }),
    }),
    [t],
  );

  return (
    <main id={FIELD_ID} className={parts.field} data-room="field" data-testid="field" data-ground={groundKind(ground)}>
      <FieldView
        ref={view}
        figures={figures}
        selectedId={props.selectedId}
        onSelect={onSelect}
        showBeams={props.beams}
        showNames
        ownId={props.ownId ?? null}
        sightId={sightId}
        scheme={scheme}
        ground={ground}
        reducedMotion={reducedMotion}
        readOnly={still}
        texts={texts}
        pointing={props.pointing}
        onPointingChange={props.onPointing}
        {...ownHand}
      />
      {fieldKnown && figures.length === 0 && (
        <div className={styles.empty} style={groundLook(ground, scheme).style} data-room="empty">
          <strong>{props.emptyText.title}</strong>
          {props.emptyText.hint && <p>{props.emptyText.hint}</p>}
        </div>
      )}
      {props.children}
      {fieldKnown && sightId !== null && onSightEnd && (
        <LazySightPanel figureId={sightId} view={view} onClose={onSightEnd} />
      )}
      <ZoomBar view={view} camera={camera} own={props.ownView && figures.some((figure) => figure.own)} />
    </main>
  );
}
