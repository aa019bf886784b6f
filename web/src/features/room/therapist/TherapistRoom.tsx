/**
 * The play area as the therapist sees it (/app/play-area): field in the middle, figures on the left, people on the
 * right.
 */
import { IconLogout2, IconPlus, IconPointer, IconShieldCheck } from '@tabler/icons-react';
import {
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { GroundStore } from '../../design/ground/index.ts';
import {
  figureBar,
  FieldRail,
  RoomField,
  type RoomFieldHandle,
  type RoomFieldProps,
  LazyFigureBar,
  useShownFigure,
  SkipToField,
} from '../../field/index.ts';
import { Messages } from '../../messages/index.ts';
import { LazyMomentItems, LazyMoments, type LatestMoments } from '../../moments/index.ts';
import { ObserverWords } from '../../observerWords/index.ts';
import { LazyVideoTiles, useLayout, type VideoCalls, VideoControls } from '../../video/index.ts';
import { RoomUsageDialogs } from '../../usage/index.ts';
import { ConnectionBar } from '../frame/ConnectionBar.tsx';
import { LazyRoomDrawer } from '../dialogs/lazyDrawer.tsx';
import { LazyOutdatedNotice } from '../notices/LazyOutdatedNotice.tsx';
import { Toast } from '../notices/Toast.tsx';
import { useRoomNotices } from '../notices/useRoomNotices.ts';
import { PeoplePanel } from '../people/PeoplePanel.tsx';
import { WaitingNote } from '../people/WaitingNote.tsx';
import { LazyPhoneMore } from '../phone/LazyPhoneMore.tsx';
import { useRoomPart } from '../store/useRoom.ts';
import { LazyLeaveRoomQuestion } from '../leaving/LazyLeaveRoomQuestion.tsx';
import { DialogNote } from './dialogs/DialogNote.tsx';
import { TherapistDialogs } from './dialogs/TherapistDialogs.tsx';
import { TherapistTopBar } from './TherapistTopBar.tsx';
import {
  type Selection,
  type TherapistCalls,
  type TherapistRoomState,
  useSelected,
  useTherapistRoom,
} from './useTherapistRoom.ts';
import { DialogNoteContext } from '../../../ui/dialogs/dialogNote.ts';
import { useMediaQuery } from '../../../ui/useMediaQuery.ts';
import { usePageTitle } from '../../../ui/usePageTitle.ts';
import frame from '../frame/RoomFrame.module.css';
import parts from '../../../ui/roomParts.module.css';
import styles from './TherapistRoom.module.css';

export interface TherapistRoomProps {
  me: { id: number; firstName: string };
  joinLink: string;
  calls: TherapistCalls;
  video: VideoCalls;
  /** The therapist is still here: closes a warning about inactivity. */
  onStay(): void;
  scheme: 'light' | 'dark';
  ground: GroundStore;
  moments: LatestMoments;
}

const ME = { as: 'therapist' } as const;

/**
 * Draws the room from the stores that `TherapistRoomPage` provides; `calls` and `video` call the server. On a phone
 * figures and people are drawers (docs/product.md#11.7, 11.61).
 */
export function TherapistRoom(props: TherapistRoomProps) {
  const state = useTherapistRoom(props);
  const { phone, toast, peopleActs } = state;
  return (
    <DialogNoteContext value={<DialogNote told={toast.told} phone={phone} onAdmit={peopleActs.onAdmit} />}>
      <RoomParts {...props} state={state} />
    </DialogNoteContext>
  );
}

interface RoomPartsProps extends Omit<TherapistRoomProps, 'joinLink'> {
  state: TherapistRoomState;
}

function RoomParts({ me, calls, video, onStay, scheme, ground, moments, state }: RoomPartsProps) {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const { phone, wide, panel, toast, failed, selection, setDialog } = state;
  const people = useRoomPart((model) => model.people);
  const over = useRoomPart((model) => model.over);
  const groundLook = useSyncExternalStore(ground.subscribe, ground.get);
  const wholeGround = useSyncExternalStore(ground.subscribe, ground.whole);
  const layout = useLayout();
  const [beams, setBeams] = useState(true);
  const [pointing, setPointing] = useState(false);
  const [railOpen, setRailOpen] = useState(false);
  const [lookingId, setLookingId] = useState<number | null>(null);
  const endSight = useCallback(() => setLookingId(null), []);
  // The gallery's preview has no room for the list of figures in sight.
  const sightId = layout.layout === 'gallery' ? null : lookingId;
  const { leaveGallery } = layout;
  const onLook = useCallback(
    (figureId: number | null) => {
      leaveGallery();
      setLookingId(figureId);
    },
    [leaveGallery],
  );
  const field = useRef<RoomFieldHandle>(null);
  const keepClear = useCallback((element: Element, away?: number) => field.current?.keepClear(element, away), []);
  const fitBeside = useCallback((element: Element) => field.current?.fitBeside(element), []);
  // On a phone it covers the field.
  const timer = useRef<HTMLSpanElement>(null);
  useEffect(() => (timer.current ? keepClear(timer.current) : undefined), [keepClear]);
  // Below the people only if both have room: waiting people stay visible (docs/product.md#11.53).
  const tall = useMediaQuery('(min-height: 800px)');
  const tools = phone ? 'phone' : wide && tall && panel.open ? 'panel' : 'row';
  useRoomNotices(toast);
  usePageTitle(
    t('title', { name: me.firstName }),
    useRoomPart((model) => model.waiting.length),
  );
  const [keepingPlace, setKeepingPlace] = useState<HTMLElement | null>(null);

  const fieldMe = useMemo(() => ({ id: me.id, mover: { as: 'therapist' } as const }), [me.id]);
  const therapist = useMemo(() => ({ id: me.id, name: me.firstName }), [me.id, me.firstName]);
  const face = useMemo(() => ({ id: me.id, as: 'therapist' as const, name: me.firstName }), [me.id, me.firstName]);
  const closeRail = useCallback(() => setRailOpen(false), []);
  const rail = useMemo(() => {
    // On a phone the drawer closes, so that the dialog's effect on the field is visible.
    const opens = (dialog: Parameters<typeof setDialog>[0]) => () => {
      setRailOpen(false);
      setDialog(dialog);
    };
    return {
      onIcons: opens('icons'),
      onConstellations: opens('constellations'),
      onReset: opens('reset'),
      onPicture: opens('picture'),
      onClear: opens('clear'),
      onKeys: opens('keys'),
      onAdded: closeRail,
    };
  }, [setDialog, closeRail]);
  const togglePointing = () => setPointing((on) => !on);
  const videoParts = { calls: video, onFailed: failed, onMutedAll: state.mutedAll };
  const fieldRail = <FieldRail phone={phone} scheme={scheme} beams={beams} onBeams={setBeams} {...rail} />;
  const peoplePanel = (
    <PeoplePanel
      room={state.room}
      scheme={scheme}
      sound={state.sound}
      onSound={state.onSound}
      video={video}
      onFailed={failed}
      {...state.peopleActs}
      {...(wide ? {} : { onClose: panel.close })}
    />
  );

  return (
    <div
      className={frame.room}
      data-room="therapist"
      data-panel={panel.open && wide ? 'open' : 'closed'}
      data-tools={tools}
    >
      <SkipToField />
      <ConnectionBar therapistName={me.firstName} own>
        <LazyOutdatedNotice />
      </ConnectionBar>
      <TherapistTopBar state={state} firstName={me.firstName} timer={timer}>
        {phone && (
          <LazyPhoneMore
            as="therapist"
            pointing={pointing}
            onPointing={togglePointing}
            joining={state}
            moreItems={(Menu) => <LazyMomentItems menu={Menu} latest={moments} />}
            {...videoParts}
          />
        )}
      </TherapistTopBar>

      {!phone && fieldRail}
      {phone && railOpen && (
        <>
          <LazyRoomDrawer label={tf('rail.label')} onClose={closeRail}>
            {fieldRail}
          </LazyRoomDrawer>
          <Scrim of="rail" label={tf('rail.close')} onClose={closeRail} />
        </>
      )}

      <div
        data-room="area"
        data-layout={layout.layout}
        data-strip={layout.strip}
        data-tiles={layout.taking || undefined}
      >
        <SelectingField
          selection={selection}
          ref={field}
          me={fieldMe}
          people={people}
          therapistName={me.firstName}
          still={over}
          scheme={scheme}
          ground={groundLook}
          beams={beams}
          library={state.library}
          pointing={pointing}
          onPointing={setPointing}
          ownView={phone}
          sightId={sightId}
          onSightEnd={endSight}
          emptyText={{ title: tf('empty.title'), hint: tf('empty.hint') }}
          onRemoveAsked={state.removeFigure}
        />
        <ObserverWords
          people={people}
          me={null}
          therapistName={me.firstName}
          still={over}
          keepClear={keepClear}
          fitBeside={fitBeside}
        />
        <LazyVideoTiles me={face} therapist={face} people={people} phone={phone} onPlace={fitBeside} />
        <Toast told={toast.told} onClose={toast.close} onPlace={keepClear} />
      </div>

      {panel.seen && wide && peoplePanel}
      {panel.seen && !wide && (
        <>
          <LazyRoomDrawer label={t('people.heading')} onClose={panel.close}>
            {peoplePanel}
          </LazyRoomDrawer>
          <Scrim of="panel" label={t('people.close')} onClose={panel.close} />
        </>
      )}
      <FigureTools state={state} form={tools} field={field} sightId={sightId} onLook={onLook} />

      <Messages as="therapist" therapist={therapist} people={people} therapistHere>
        <WaitingNote onShow={panel.show} onAdmit={state.peopleActs.onAdmit} />
      </Messages>

      <LazyMoments latest={moments} field={state.store} ground={wholeGround} place={keepingPlace} tell={toast.tell} />

      <footer className={frame.bar}>
        <span className={styles.private} title={t('private')}>
          <IconShieldCheck size={20} stroke={1.75} aria-hidden />
          {/* Only the shield, if the controls need the space. */}
          <span className={wide ? undefined : 'fr-hidden'}>{t('private')}</span>
        </span>
        <div className={frame.controls}>
          {phone && (
            <button type="button" className={parts.control} aria-expanded={railOpen} onClick={() => setRailOpen(true)}>
              <IconPlus size={22} stroke={1.75} aria-hidden />
              {tf('rail.addTitle')}
            </button>
          )}
          <VideoControls me={ME} {...videoParts} therapistName={me.firstName} phone={phone} />
          {!phone && (
            <button
              type="button"
              className={parts.control}
              data-hint={tf('pointHint')}
              aria-pressed={pointing}
              onClick={togglePointing}
            >
              <IconPointer size={22} stroke={1.75} aria-hidden />
              {tf('point')}
            </button>
          )}
          {!phone && <span ref={setKeepingPlace} className={styles.place} />}
          {phone && (
            <button type="button" className={parts.control} onClick={() => setDialog('end')}>
              <IconLogout2 size={22} stroke={1.75} aria-hidden />
              {t('end.button')}
            </button>
          )}
        </div>
        {!phone && (
          <button type="button" className={styles.end} onClick={() => setDialog('end')}>
            {t('end.button')}
          </button>
        )}
      </footer>

      <TherapistDialogs state={state} onEnd={calls.end} gazes={beams} ground={wholeGround} />
      <LazyLeaveRoomQuestion sessionId={state.room?.liveSession?.id ?? null} onEnd={calls.end} onFailed={failed} />
      <RoomUsageDialogs onStay={onStay} />
    </div>
  );
}

/** Covers the room behind an open drawer; a press on it closes the drawer. */
function Scrim({ of, label, onClose }: { of: 'rail' | 'panel'; label: string; onClose(): void }) {
  return <button type="button" className={styles.scrim} data-for={of} aria-label={label} onClick={onClose} />;
}

/** The field with the selected figure. */
function SelectingField({
  selection,
  ...props
}: Omit<RoomFieldProps, 'selectedId' | 'onSelect' | 'onNameAsked'> & { selection: Selection }) {
  const { selectedId } = useSelected(selection);
  return <RoomField {...props} selectedId={selectedId} onSelect={selection.select} onNameAsked={selection.askName} />;
}

interface FigureToolsProps {
  state: TherapistRoomState;
  /** Beside the field, below it, or on a phone. */
  form: 'panel' | 'row' | 'phone';
  field: RefObject<RoomFieldHandle | null>;
  /** The figure from which the therapist looks. */
  sightId: number | null;
  onLook(figureId: number | null): void;
}

/**
 * The tools of the selected figure; a separate component, so that the figure's moves redraw nothing else. They follow
 * the selection with low priority: a drag does not wait for them. The row below the field keeps its space while nothing
 * is selected, so that the field keeps its size.
 */
function FigureTools({ state, form, field, sightId, onLook }: FigureToolsProps) {
  const { selection, library, tellRemoved } = state;
  const { t } = useTranslation('field');
  const { selectedId, nameAsked } = useDeferredValue(useSelected(selection));
  const figure = useShownFigure(selectedId);
  const people = useRoomPart((model) => model.people);
  // Before the first drag: evaluating the code would cost it a frame.
  useEffect(() => void figureBar.load().catch(() => undefined), []);
  const tellRemovedNow = useRef(tellRemoved);
  useEffect(() => {
    tellRemovedNow.current = tellRemoved;
  });
  const acts = useMemo(
    () => ({
      onDone: () => selectedId !== null && field.current?.focusFigure(selectedId),
      onClose: () => selection.select(null),
      onRemoved(name: string, actId: string) {
        // The tools disappear with their figure, and the focus in them.
        if (selectedId !== null) field.current?.focusBeside(selectedId);
        selection.select(null);
        tellRemovedNow.current(name, actId);
      },
    }),
    [field, selection, selectedId],
  );
  if (!figure)
    return form === 'panel' ? null : (
      <section className={styles.noTools} aria-label={t('bar.tools')}>
        {t('bar.none')}
      </section>
    );
  return (
    <div className={styles.tools} data-form={form}>
      <LazyFigureBar
        figure={figure}
        people={people}
        library={library}
        form={form}
        nameAsked={nameAsked}
        looking={sightId === figure.id}
        onLook={onLook}
        {...acts}
      />
    </div>
  );
}
