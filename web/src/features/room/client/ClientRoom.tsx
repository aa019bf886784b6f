/**
 * The room as a client sees it (/app/play-area-view, docs/product.md#11.7): the client's role at the top, the field, at
 * most four controls.
 */
import type { Client } from '@fieldroom/contract/clients';
import type { Figure } from '@fieldroom/contract/field';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconDoorExit,
  IconEye,
  IconPointer,
  IconShieldCheck,
} from '@tabler/icons-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyMenu } from '../../../ui/lazy/LazyMenu.tsx';
import { useWarmUp } from '../../../ui/lazy/lazyPart.ts';
import { PHONE_SCREEN, ROOMY_SCREEN, useMediaQuery } from '../../../ui/useMediaQuery.ts';
import { bugReportEntries, LazyBugReportButton, LazyBugReportItem, useBugReportPanel } from '../../bugReports/index.ts';
import type { GroundStore } from '../../design/ground/index.ts';
import {
  RoomField,
  type RoomFieldHandle,
  figureName,
  type IconCalls,
  useCanUndo,
  useIconLibrary,
  useUndoKeys,
  useWornIcons,
  SkipToField,
} from '../../field/index.ts';
import { Messages, MessagesButton, messagesPanel, useMessagesPart } from '../../messages/index.ts';
import { LazySchemeSwitch } from '../../shell/index.ts';
import { ObserverWords } from '../../observerWords/index.ts';
import { idleCountdown, LazyIdleCountdown, LazyRoomTimerBadge } from '../../usage/index.ts';
import { HandControl, LazyLayoutSwitch, LazyVideoTiles, useLayout, VideoControls } from '../../video/index.ts';
import { ConnectionBar } from '../frame/ConnectionBar.tsx';
import { LazyQuestion, roomDialogs } from '../dialogs/lazyDialogs.tsx';
import { Toast, type Told, useToast } from '../notices/Toast.tsx';
import { useRoomNotices } from '../notices/useRoomNotices.ts';
import { LazyPhoneMore } from '../phone/LazyPhoneMore.tsx';
import { useConnectionState, useRoomPart, useRoomStore } from '../store/useRoom.ts';
import { RoleMenu } from './RoleMenu.tsx';
import { useBackAsks } from '../../../ui/dialogs/backCloses.ts';
import { useFieldComing } from './useFieldComing.ts';
import { useForeignFigures } from './useForeignFigures.ts';
import { useNameTaken } from './useNameTaken.ts';
import { type OwnRole, useOwnRole } from './useOwnRole.ts';
import frame from '../frame/RoomFrame.module.css';
import styles from './ClientRoom.module.css';
import parts from '../../../ui/roomParts.module.css';

export interface ClientRoomProps {
  client: Client;
  /** Somebody was in the room before with a name that looks like this client's. */
  nameTaken: boolean;
  icons: IconCalls;
  scheme: 'light' | 'dark';
  ground: GroundStore;
  /** Raises or lowers the client's hand. */
  onHand(raised: boolean): Promise<void>;
  onLeave(): Promise<void>;
  /** The client was inactive while the therapist was away. */
  onIdle(): void;
}

const ME = { as: 'client' } as const;

/** Fetched when the browser is idle, in this order. */
const WARM_UP = [lazyMenu, messagesPanel, roomDialogs, bugReportEntries, idleCountdown];

/**
 * Draws the room from the stores that `ClientRoomPage` provides. `scheme` is light or dark, `ground` the background
 * behind the figures. While the therapist is away, nothing can be moved (docs/product.md#4.12).
 */
export function ClientRoom({ client, nameTaken, icons, scheme, ground, onHand, onLeave, onIdle }: ClientRoomProps) {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const store = useRoomStore();
  const people = useRoomPart((model) => model.people);
  const person = useRoomPart((model) => model.people.find((candidate) => candidate.id === client.id));
  const therapistHere = useRoomPart((model) => model.therapistHere);
  const fieldKnown = useRoomPart((model) => model.field !== null);
  const connected = useConnectionState() === 'open';
  // While it is to come the waiting room stays visible.
  const coming = useFieldComing();
  const still = useRoomPart((model) => model.over) || !therapistHere;
  const groundLook = useSyncExternalStore(ground.subscribe, ground.get);
  const layout = useLayout();
  const reading = useMessagesPart((model) => model.open);
  const { told, tell, onlyThose, close } = useToast();
  const phone = useMediaQuery(PHONE_SCREEN);
  const narrow = useMediaQuery('(max-width: 479px)');
  // Beside the layouts, which need their words, there is no room for a whole sentence until the window is wider.
  const roomy = useMediaQuery(layout.taking ? ROOMY_SCREEN : '(min-width: 1024px)');
  const [selectedId, setSelectedId] = useState<number | null>(null);
  const [pointing, setPointing] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [looking, setLooking] = useState(false);
  const field = useRef<RoomFieldHandle>(null);
  const keepClear = useCallback((element: Element, away?: number) => field.current?.keepClear(element, away), []);
  const fitBeside = useCallback((element: Element) => field.current?.fitBeside(element), []);
  // On a phone it covers the field.
  const timer = useRef<HTMLSpanElement>(null);
  useEffect(() => (timer.current ? keepClear(timer.current) : undefined), [keepClear]);
  const library = useIconLibrary(icons, useWornIcons());
  const role = useOwnRole(client, person);
  const therapistName = client.therapist.firstName;
  const faces = useFaces(client);
  const me = useMemo(() => ({ id: client.id, mover: role.mover }), [client.id, role.mover]);
  useUndoKeys(store);
  useWarmUp(WARM_UP);
  useRoomNotices({ tell, onlyThose });
  useNameTaken(client.id, nameTaken, tell);
  useHandsNotice(therapistName, tell);
  useRoleNotice(role, tell, setSelectedId);
  const report = useBugReportPanel();
  const foreign = useForeignFigures({ mover: role.mover, therapistName, still, tell });
  const onSelect = useCallback(
    (id: number | null) => {
      setSelectedId(id);
      foreign.onSelect(id);
    },
    [foreign],
  );
  useBackAsks(useCallback(() => setLeaving(true), []));

  const videoFailed = useCallback(() => tell({ text: t('failed'), tone: 'fault' }), [tell, t]);
  const video = { calls: null, onFailed: videoFailed, onMutedAll: () => undefined };
  const togglePointing = () => setPointing((on) => !on);
  const ownId = role.active?.id ?? null;
  // Without a role the look ends: a later role does not start it again (docs/product.md#5.36).
  if (looking && ownId === null) setLooking(false);
  // The gallery's preview has no room for the list of figures in sight.
  const inSight = looking && ownId !== null && layout.layout !== 'gallery';
  const look = {
    looking: inSight,
    canLook: ownId !== null,
    onLook() {
      layout.leaveGallery();
      setLooking(!inSight);
    },
  };
  const endLook = useCallback(() => setLooking(false), []);

  return (
    <div className={`${frame.room} ${frame.client}`} data-room="client" aria-busy={coming || undefined}>
      <SkipToField />
      <ConnectionBar therapistName={therapistName} />
      <section className={frame.top} data-room="top" aria-label={t('title', { name: therapistName })}>
        <h1 className="fr-hidden">{t('title', { name: therapistName })}</h1>
        <RoleMenu
          role={role}
          therapistName={therapistName}
          scheme={scheme}
          onChoose={(figureId) => store.act({ kind: 'activeRole', clientId: client.id, figureId })}
        />
        <span className={frame.space} />
        {!phone && <LazyLayoutSwitch />}
        <span className={styles.private} title={t('private')} data-narrow={narrow || undefined}>
          <IconShieldCheck size={18} stroke={1.75} aria-hidden />
          <span className={narrow ? 'fr-hidden' : undefined}>{phone || !roomy ? t('privateShort') : t('private')}</span>
        </span>
        <span ref={timer} className={frame.timer}>
          <LazyRoomTimerBadge short />
        </span>
        {!phone && <LazySchemeSwitch />}
        {!phone && <LazyBugReportButton report={report} className={frame.smiley} />}
        <MessagesButton />
        {phone && (
          <LazyPhoneMore
            as="client"
            pointing={pointing}
            onPointing={togglePointing}
            look={look}
            lastItems={(Menu, whenGone) => <LazyBugReportItem menu={Menu} onChoose={() => whenGone(report.open)} />}
            {...video}
          />
        )}
      </section>
      <div
        data-room="area"
        {...foreign.handlers}
        data-layout={layout.layout}
        data-strip={layout.strip}
        data-tiles={layout.taking || undefined}
        data-beside={reading ? 'messages' : undefined}
      >
        <RoomField
          ref={field}
          me={me}
          people={people}
          therapistName={therapistName}
          still={still}
          scheme={scheme}
          ground={groundLook}
          beams
          library={library}
          selectedId={selectedId}
          onSelect={onSelect}
          pointing={pointing}
          onPointing={setPointing}
          ownView={phone}
          ownId={ownId}
          sightId={inSight ? ownId : null}
          onSightEnd={endLook}
          emptyText={{ title: tf('empty.client') }}
        >
          {!phone && <Corner pointing={pointing} onPointing={togglePointing} look={look} onPlace={keepClear} />}
        </RoomField>
        <ObserverWords
          people={people}
          me={person ?? null}
          therapistName={therapistName}
          still={still}
          keepClear={keepClear}
          fitBeside={fitBeside}
        />
        <LazyVideoTiles me={faces.me} therapist={faces.therapist} people={people} phone={phone} onPlace={fitBeside} />
        <LazyIdleCountdown
          away={fieldKnown && !therapistHere}
          connected={connected}
          onExpired={onIdle}
          onPlace={fitBeside}
        />
        <Toast told={told} onClose={close} onPlace={keepClear} />
      </div>
      <Messages as="client" therapist={faces.therapist} people={people} therapistHere={therapistHere} />
      <footer className={frame.bar}>
        <div className={frame.controls}>
          <VideoControls me={ME} {...video} therapistName={therapistName} phone={phone} />
          <HandControl
            raised={person?.handRaisedOn != null}
            onRaise={(raised) => void onHand(raised).catch(videoFailed)}
          />
          <button type="button" className={parts.control} onClick={() => setLeaving(true)}>
            <IconDoorExit size={24} stroke={1.75} aria-hidden />
            {t('client.leave')}
          </button>
        </div>
      </footer>
      {/* Here it outlives its opener: a tablet with its keyboard on the screen is as low as a phone. */}
      {report.panel}
      <LeaveQuestion opened={leaving} onStay={() => setLeaving(false)} onLeave={onLeave} />
    </div>
  );
}

/** Who the client and the therapist are, for the video tiles. */
function useFaces({ id, name, therapist: { id: therapistId, firstName } }: Client) {
  const me = useMemo(() => ({ id, as: 'client' as const, name }), [id, name]);
  const therapist = useMemo(() => ({ id: therapistId, name: firstName }), [therapistId, firstName]);
  return { me, therapist };
}

/** Selects the active figure, so that keys move it, and reports added and removed roles, once. */
function useRoleNotice({ active, held }: OwnRole, tell: (told: Told) => void, select: (id: number) => void): void {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const fieldKnown = useRoomPart((model) => model.field !== null);
  const activeId = active?.id ?? null;
  const heldIds = held.map(({ id }) => id).join();
  const before = useRef<Pick<OwnRole, 'active' | 'held'> | null>(null);
  // Reported once a change, not at each redraw of the words.
  useEffect(() => {
    const known = before.current;
    if (fieldKnown) before.current = { active, held };
    if (known) {
      const name = (figures: readonly Figure[]) => figures.map((figure) => figureName(tf, figure)).join(', ');
      const without = (some: readonly Figure[], others: readonly Figure[]) =>
        some.filter(({ id }) => !others.some((other) => other.id === id));
      const [gained, lost] = [without(held, known.held), without(known.held, held)];
      if (active && activeId !== (known.active?.id ?? null))
        tell({ text: t('client.gotRole', { figure: name([active]) }) });
      else if (gained.length > 0) tell({ text: t('client.alsoRole', { figure: name(gained) }) });
      else if (lost.length > 0) tell({ text: t('client.lostRole', { figure: name(lost) }) });
    }
  }, [activeId, heldIds, fieldKnown]); // eslint-disable-line react-hooks/exhaustive-deps -- see above
  useEffect(() => {
    if (activeId !== null) select(activeId);
  }, [activeId, fieldKnown, select]);
}

/** Reports when the therapist pauses the clients' moves, and when they may move figures again. */
function useHandsNotice(therapistName: string, tell: (told: Told) => void): void {
  const { t } = useTranslation('room');
  const allowed = useRoomPart((model) => model.field?.handsAllowed ?? true);
  const before = useRef(allowed);
  useEffect(() => {
    if (before.current !== allowed)
      tell({ text: t(allowed ? 'client.handsAllowed' : 'client.handsStopped', { name: therapistName }) });
    before.current = allowed;
  }, [allowed, t, tell, therapistName]);
}

interface CornerProps {
  pointing: boolean;
  onPointing(): void;
  look: Look;
  /** Takes an element over the field. A stable function. */
  onPlace(element: Element): (() => void) | undefined;
}

/** Looking from the active figure. */
interface Look {
  looking: boolean;
  canLook: boolean;
  onLook(): void;
}

/**
 * Pointer mode, looking from one's figure, undo and redo, in a corner of the field. They have words if the field is
 * wide enough. On a phone they are in its menu.
 */
function Corner({ pointing, onPointing, look, onPlace }: CornerProps) {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const store = useRoomStore();
  const can = useCanUndo();
  const corner = useRef<HTMLDivElement>(null);
  // After the field, whose effects run later because it is further down the page.
  useEffect(() => (corner.current ? onPlace(corner.current) : undefined), [onPlace]);
  return (
    <div ref={corner} className={parts.corner} data-room="corner" role="group" aria-label={t('client.corner')}>
      <CornerButton word={tf('point')} icon={<IconPointer {...ICON} />} pressed={pointing} onClick={onPointing} />
      <CornerButton
        word={tf('bar.look')}
        icon={<IconEye {...ICON} />}
        pressed={look.looking}
        disabled={!look.canLook}
        onClick={look.onLook}
      />
      <CornerButton
        word={tf('rail.undo')}
        icon={<IconArrowBackUp {...ICON} />}
        disabled={!can.undo}
        onClick={() => store.undo()}
      />
      <CornerButton
        word={tf('rail.redo')}
        icon={<IconArrowForwardUp {...ICON} />}
        disabled={!can.redo}
        onClick={() => store.redo()}
      />
    </div>
  );
}

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

interface CornerButtonProps {
  word: string;
  icon: ReactNode;
  pressed?: boolean;
  disabled?: boolean;
  onClick(): void;
}

/** Its word is its name even if there is no room to show it. */
function CornerButton({ word, icon, pressed, disabled, onClick }: CornerButtonProps) {
  return (
    <button
      type="button"
      className={parts.cornerButton}
      aria-label={word}
      title={word}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
    >
      {icon}
      <span>{word}</span>
    </button>
  );
}

interface LeaveQuestionProps {
  opened: boolean;
  onStay(): void;
  onLeave(): Promise<void>;
}

function LeaveQuestion({ opened, onStay, onLeave }: LeaveQuestionProps) {
  const { t } = useTranslation('room');
  const [busy, setBusy] = useState(false);
  return (
    <LazyQuestion
      opened={opened}
      title={t('client.leaveTitle')}
      text={t('client.leaveText')}
      yes={t('client.leave')}
      no={t('client.stay')}
      busy={busy}
      onNo={onStay}
      onYes={() => {
        setBusy(true);
        void onLeave().finally(() => setBusy(false));
      }}
    />
  );
}
