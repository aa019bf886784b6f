/** The play area as the therapist sees it: field in the middle, figures on the left, people on the right. Specification 2.1 (/app/play-area), UI "The room". */
import { ActionIcon } from '@mantine/core';
import {
  IconChevronDown,
  IconLink,
  IconLogout2,
  IconPlus,
  IconPointer,
  IconRefresh,
  IconShieldCheck,
  IconUsers,
} from '@tabler/icons-react';
import type { Admission, Person, RoomState, WaitingPerson } from '@fieldroom/contract/clients';
import type { Participant } from '@fieldroom/contract/field';
import type { FieldCopy } from '@fieldroom/contract/field.rules';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Logo } from '../../ui/figures/index.ts';
import {
  Faces,
  LayoutSwitch,
  useLayout,
  useVideoStore,
  type VideoCalls,
  VideoControls,
  VideoCorner,
} from '../video/index.ts';
import { FieldStage, useMediaQuery } from './FieldStage.tsx';
import { type IconCalls, useIconLibrary } from './icons.ts';
import { figureName } from './labels.ts';
import { LateFigureBar, LateIconsDialog, LateKeysDialog, LateMenu, LateQuestion, useWarmUp } from './late.tsx';
import { LineBar } from './LineBar.tsx';
import { PeoplePanel, useDoorChime } from './PeoplePanel.tsx';
import { Rail } from './Rail.tsx';
import type { RoomStore } from './room.store.ts';
import { Toast, useToast } from './Toast.tsx';
import { useRoomPart, useRoomStore, useShownFigure, useWornIcons } from './useRoom.ts';
import { useUndoKeys } from './useUndoKeys.ts';
import './room.css';

export interface TherapistCalls {
  getRoom(): Promise<RoomState>;
  admit(ids: number[] | 'all'): Promise<{ admitted: number[]; refused: { id: number; code: string }[] }>;
  decline(ids: number[]): Promise<void>;
  remove(clientId: number): Promise<void>;
  renewCode(): Promise<{ code: string }>;
  setAdmission(admission: Admission): Promise<void>;
  end(): Promise<void>;
  icons: IconCalls;
}

export interface TherapistRoomProps {
  me: { id: number; firstName: string };
  joinLink: string;
  calls: TherapistCalls;
  video: VideoCalls;
  scheme: 'light' | 'dark';
  onEnded(): void;
}

const SOUND_KEY = 'door_sound';
const ME_MOVER = { as: 'therapist' } as const;

export function TherapistRoom({ me, joinLink, calls, video, scheme, onEnded }: TherapistRoomProps) {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const store = useRoomStore();
  const waiting = useRoomPart((model) => model.waiting);
  const people = useRoomPart((model) => model.people);
  const stage = useLayout();
  const videoStore = useVideoStore();
  const peopleKnown = useRoomPart((model) => model.peopleKnown);
  const { told, tell, close } = useToast();
  const [room, setRoom] = useState<RoomState | null>(null);
  const [selectedId, setSelectedId] = useState<number | null>(null);
  const [freshId, setFreshId] = useState<number | null>(null);
  const [beams, setBeams] = useState(true);
  const [pointing, setPointing] = useState(false);
  const [dialog, setDialog] = useState<'end' | 'reset' | 'icons' | 'keys' | null>(null);
  const [busy, setBusy] = useState(false);
  const wide = useMediaQuery('(min-width: 1200px)');
  const phone = useMediaQuery('(max-width: 767px)');
  const [panelOpen, setPanelOpen] = useState(wide);
  const [railOpen, setRailOpen] = useState(false);
  const [sound, setSound] = useState(() => safeGet(SOUND_KEY) !== '0');
  const ring = useDoorChime(sound);
  useUndoKeys(store);
  useWarmUp('therapist');
  useEffect(() => {
    setPanelOpen(wide);
  }, [wide]);

  const library = useIconLibrary(calls.icons, useWornIcons());

  const fetchRoom = useCallback(() => {
    calls.getRoom().then(setRoom, () => undefined);
  }, [calls]);
  useEffect(fetchRoom, [fetchRoom]);

  // A figure that this browser added is chosen at once, so that it can be named.
  useNewFigure(
    store,
    useCallback(
      (id: number) => {
        setSelectedId(id);
        setFreshId(phone ? null : id);
      },
      [phone],
    ),
  );

  // Arrivals: a sound, and a notice when the panel is put away.
  const known = useRef<Set<number> | null>(null);
  useEffect(() => {
    if (!peopleKnown) return;
    const arrived = known.current === null ? [] : waiting.filter((person) => !known.current?.has(person.id));
    known.current = new Set(waiting.map((person) => person.id));
    if (arrived.length === 0) return;
    ring();
    if (!panelOpen && arrived[0])
      tell({
        text: t('people.arrived', { name: arrived[0].name }),
        act: { label: t('people.heading'), run: () => setPanelOpen(true) },
      });
  }, [waiting, peopleKnown, panelOpen, ring, t, tell]);

  useEffect(
    () =>
      store.onNotice((notice) => {
        if (notice.kind === 'refresh') {
          if (notice.what === 'icons') library.refresh();
          else fetchRoom();
        } else if (notice.kind === 'login') tell({ text: t('login', { name: notice.name }) });
        else if (notice.kind === 'logout') tell({ text: t(`logout.${notice.reason}`, { name: notice.name }) });
        else if (notice.kind === 'restart') tell({ text: t('line.restart') });
        else if (notice.kind === 'over') onEnded();
        else if (notice.kind === 'refused')
          tell({
            text: tf([`refused.${notice.problem.code}`, 'refused.other'] as unknown as 'refused.other'),
            tone: 'fault',
          });
      }),
    [store, library, fetchRoom, tell, t, tf, onEnded],
  );

  const copy = async (text: string, done: string) => {
    try {
      await navigator.clipboard.writeText(text);
      tell({ text: done, tone: 'done' });
    } catch {
      tell({ text: t('top.copyFailed', { link: text }), tone: 'fault' });
    }
  };
  const attempt = useCallback(
    async (work: () => Promise<void>) => {
      try {
        await work();
      } catch {
        tell({ text: t('failed'), tone: 'fault' });
      }
    },
    [tell, t],
  );
  const link = `${location.origin}/user/join/${joinLink}`;
  const copyLink = () => {
    // In a sealed room the key travels in the link's fragment, which no server sees (PRODUCT 10).
    const key = videoStore.linkFragment();
    void copy(key === null ? link : `${link}#${key}`, key === null ? t('top.linkCopied') : t('top.linkCopiedKey'));
  };

  const atTheDoor = useMemo(
    () => ({
      onSound: (on: boolean) => {
        setSound(on);
        safeSet(SOUND_KEY, on ? '1' : '0');
      },
      onAdmit: (ids: number[] | 'all') =>
        attempt(async () => {
          const { refused } = await calls.admit(ids);
          const full = refused.find((entry) => entry.code === 'room_full');
          if (full)
            tell({
              text: t('people.admittedFull', {
                name: store.get().waiting.find((person) => person.id === full.id)?.name ?? '',
              }),
              tone: 'fault',
            });
        }),
      onDecline: (person: WaitingPerson) =>
        attempt(async () => {
          await calls.decline([person.id]);
          tell({ text: t('people.declined', { name: person.name }) });
        }),
      onRemove: (person: Person) =>
        attempt(async () => {
          await calls.remove(person.id);
          videoStore.removed(person.id);
          tell({ text: t('people.removed', { name: person.name }) });
          fetchRoom();
        }),
      onAdmission: (admission: Admission) =>
        void attempt(async () => {
          await calls.setAdmission(admission);
          fetchRoom();
        }),
    }),
    [attempt, calls, fetchRoom, store, t, tell, videoStore],
  );
  const onTheRail = useMemo(
    () => ({
      onIcons: () => {
        setRailOpen(false);
        setDialog('icons');
      },
      onReset: () => setDialog('reset'),
      onKeys: () => setDialog('keys'),
      onAdded: () => setRailOpen(false),
    }),
    [],
  );
  const videoMe = useMemo(() => ({ id: me.id, as: 'therapist' as const, name: me.firstName }), [me.id, me.firstName]);
  const videoFailed = useCallback(() => tell({ text: t('failed'), tone: 'fault' }), [tell, t]);
  const { t: tv } = useTranslation('video');
  const mutedAll = useCallback(() => tell({ text: tv('mutedAll'), tone: 'done' }), [tell, tv]);
  const closePanel = useCallback(() => setPanelOpen(false), []);
  const onRemoved = useCallback(
    (name: string) =>
      tell({ text: tf('bar.removed', { name }), act: { label: tf('rail.undo'), run: () => store.undo() } }),
    [tell, tf, store],
  );

  return (
    <div className="room" data-panel={panelOpen && wide ? 'open' : 'closed'}>
      <LineBar therapistName={me.firstName} own />
      <section className="room-top" aria-label={t('title', { name: me.firstName })}>
        <a className="room-top-home" href="/app/dashboard" aria-label={t('top.back')}>
          <Logo size={30} />
        </a>
        <h1>{t('title', { name: me.firstName })}</h1>
        <span className="room-top-space" />
        <LayoutSwitch />
        <span className="room-top-space" />
        <div className="room-chip">
          {room?.code && (
            <button
              type="button"
              aria-label={t('top.copyCode', { code: room.code })}
              onClick={() => void copy(room.code ?? '', t('top.codeCopied'))}
            >
              <span className="room-long">{t('top.code')}</span> <strong data-testid="room-code">{room.code}</strong>
            </button>
          )}
          <button type="button" onClick={copyLink} data-link={link} aria-label={t('top.copyLink')}>
            <IconLink size={18} stroke={1.75} aria-hidden />
            <span className="room-long">{t('top.copyLink')}</span>
          </button>
          <LateMenu
            position="bottom-end"
            target={
              <button type="button" aria-label={t('top.renewCode')}>
                <IconChevronDown size={16} aria-hidden />
              </button>
            }
          >
            {(Menu) => (
              <Menu.Item
                leftSection={<IconRefresh size={18} stroke={1.75} />}
                onClick={() =>
                  void attempt(async () => {
                    const { code } = await calls.renewCode();
                    setRoom((before) => (before ? { ...before, code } : before));
                    tell({ text: t('top.codeRenewed'), tone: 'done' });
                  })
                }
              >
                {t('top.renewCode')}
              </Menu.Item>
            )}
          </LateMenu>
        </div>
        {!wide && (
          <span className="room-panel-hint" data-hint={t('top.people')} data-side="below">
            <ActionIcon
              className="room-panel-toggle"
              variant="default"
              size={44}
              aria-expanded={panelOpen}
              aria-label={waiting.length ? t('top.peopleWaiting', { count: waiting.length }) : t('top.people')}
              onClick={() => setPanelOpen((open) => !open)}
            >
              {waiting.length > 0 ? (
                <span className="room-badge">{waiting.length}</span>
              ) : (
                <IconUsers size={22} stroke={1.75} />
              )}
            </ActionIcon>
          </span>
        )}
      </section>

      {(!phone || railOpen) && <Rail scheme={scheme} beams={beams} onBeams={setBeams} {...onTheRail} />}
      {phone && railOpen && (
        <button
          type="button"
          className="room-scrim"
          data-for="rail"
          aria-label={tf('rail.close')}
          onClick={() => setRailOpen(false)}
        />
      )}

      <div
        className="room-stage"
        data-layout={stage.layout}
        data-strip={stage.strip}
        data-faces={stage.taking || undefined}
      >
        <FieldStage
          me={useMe(me.id)}
          therapistName={me.firstName}
          scheme={scheme}
          beams={beams}
          library={library}
          selectedId={selectedId}
          onSelect={setSelectedId}
          pointing={pointing}
          onPointing={setPointing}
          startView={phone ? 'figures' : 'field'}
          wholeButton={phone}
          emptyText={{ title: tf('empty.title'), hint: tf('empty.hint') }}
          onRemoveAsked={(figure: Participant) => {
            store.act({ kind: 'remove', figureId: figure.id });
            onRemoved(figureName(tf, figure));
          }}
        >
          {phone && (
            <div className="room-corner" role="group" aria-label={t('client.corner')}>
              <button
                type="button"
                className="room-corner-button"
                aria-pressed={pointing}
                aria-label={tf('point')}
                title={tf('point')}
                onClick={() => setPointing((on) => !on)}
              >
                <IconPointer size={20} stroke={1.75} aria-hidden />
              </button>
              <VideoCorner me={{ as: 'therapist' }} calls={video} onFailed={videoFailed} onMutedAll={mutedAll} />
            </div>
          )}
          <ChosenFigure
            id={selectedId}
            freshId={freshId}
            onClose={() => setSelectedId(null)}
            onRemoved={(name) => {
              setSelectedId(null);
              onRemoved(name);
            }}
          />
        </FieldStage>
        <Faces me={videoMe} therapist={videoMe} people={people} phone={phone} />
      </div>

      {panelOpen && (
        <PeoplePanel
          room={room}
          scheme={scheme}
          sound={sound}
          video={video}
          onFailed={videoFailed}
          {...atTheDoor}
          {...(wide ? {} : { onClose: closePanel })}
        />
      )}
      {panelOpen && !wide && (
        <button
          type="button"
          className="room-scrim"
          data-for="panel"
          aria-label={t('people.close')}
          onClick={closePanel}
        />
      )}

      <footer className="room-bar">
        <span className="room-bar-private">
          <IconShieldCheck size={20} stroke={1.75} aria-hidden />
          {t('private')}
        </span>
        <div className="room-controls">
          {phone && (
            <button type="button" className="room-control" aria-expanded={railOpen} onClick={() => setRailOpen(true)}>
              <IconPlus size={22} stroke={1.75} aria-hidden />
              {tf('rail.addTitle')}
            </button>
          )}
          <VideoControls
            me={{ as: 'therapist' }}
            therapistName={me.firstName}
            calls={video}
            phone={phone}
            onFailed={videoFailed}
            onMutedAll={mutedAll}
          />
          {!phone && (
            <button
              type="button"
              className="room-control"
              data-hint={tf('pointHint')}
              aria-pressed={pointing}
              onClick={() => setPointing((on) => !on)}
            >
              <IconPointer size={22} stroke={1.75} aria-hidden />
              {tf('point')}
            </button>
          )}
          {phone && (
            <button type="button" className="room-control" onClick={() => setDialog('end')}>
              <IconLogout2 size={22} stroke={1.75} aria-hidden />
              {t('end.button')}
            </button>
          )}
        </div>
        {!phone && (
          <button type="button" className="room-end" onClick={() => setDialog('end')}>
            {t('end.button')}
          </button>
        )}
      </footer>

      <LateQuestion
        opened={dialog === 'end'}
        title={t('end.title')}
        text={t('end.text')}
        yes={t('end.confirm')}
        no={t('end.cancel')}
        danger
        busy={busy}
        onNo={() => setDialog(null)}
        onYes={() => {
          setBusy(true);
          void attempt(() => calls.end()).then(() => {
            setBusy(false);
            setDialog(null);
          });
        }}
      />
      <LateQuestion
        opened={dialog === 'reset'}
        title={tf('reset.title')}
        text={tf('reset.text')}
        yes={tf('reset.confirm')}
        no={tf('reset.cancel')}
        onNo={() => setDialog(null)}
        onYes={() => {
          store.act({ kind: 'reset' });
          setDialog(null);
          tell({ text: tf('reset.done'), tone: 'done', act: { label: tf('rail.undo'), run: () => store.undo() } });
        }}
      />
      <LateIconsDialog
        opened={dialog === 'icons'}
        library={library}
        chosenId={selectedId}
        onClose={() => setDialog(null)}
        onTold={(text) => tell({ text, tone: 'done' })}
      />
      <LateKeysDialog opened={dialog === 'keys'} onClose={() => setDialog(null)} />
      <Toast told={told} onClose={close} />
    </div>
  );
}

/** The bar of the chosen figure; apart, so that its figure's moves draw nothing else. */
function ChosenFigure({
  id,
  freshId,
  onClose,
  onRemoved,
}: {
  id: number | null;
  freshId: number | null;
  onClose(): void;
  onRemoved(name: string): void;
}) {
  const figure = useShownFigure(id);
  return (
    figure && (
      <LateFigureBar
        key={figure.id}
        figure={figure}
        focusName={freshId === figure.id}
        onClose={onClose}
        onRemoved={onRemoved}
      />
    )
  );
}

/** Tells of each figure that an act of this browser added, once the server has it. */
function useNewFigure(store: RoomStore, onAdded: (id: number) => void): void {
  const seen = useRef<{ own: Set<string>; field: FieldCopy | null; newest: number }>({
    own: new Set(),
    field: null,
    newest: 0,
  });
  useEffect(() => {
    const look = () => {
      const before = seen.current;
      const { pending, field, undo } = store.get();
      for (const { actId, act } of pending) if (act.kind === 'add') before.own.add(actId);
      if (!field || field === before.field) return;
      const first = before.field === null;
      const highest = field.figures.reduce((max, figure) => Math.max(max, figure.id), 0);
      const isNew = !first && highest > before.newest;
      seen.current = { own: before.own, field, newest: highest };
      const settled = undo.at(-1);
      if (isNew && settled !== undefined && before.own.delete(settled)) onAdded(highest);
    };
    look();
    return store.subscribe(look);
  }, [store, onAdded]);
}

function useMe(id: number) {
  return useMemo(() => ({ id, mover: ME_MOVER }), [id]);
}

function safeGet(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
function safeSet(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    /* A browser that keeps nothing: the switch holds until reload. */
  }
}
