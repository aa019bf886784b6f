/** Who is at the door and who is in, for the therapist. */
import { ActionIcon, Button, Switch } from '@mantine/core';
import {
  IconAlertTriangle,
  IconChevronDown,
  IconDots,
  IconDoorEnter,
  IconDoorExit,
  IconHandOff,
  IconHandStop,
  IconMicrophone,
  IconMicrophoneOff,
  IconX,
} from '@tabler/icons-react';
import type { Participant } from '@fieldroom/contract/field';
import type { Admission, Person, RoomState, WaitingPerson } from '@fieldroom/contract/clients';
import { SEATS } from '@fieldroom/contract/clients.rules';
import { memo, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FigureIcon } from '../../ui/figures/index.ts';
import { handsInOrder, useVideoPart, type VideoCalls } from '../video/index.ts';
import { figureName } from './labels.ts';
import { LateMenu, LateQuestion, type MenuParts } from './late.tsx';
import { sameFaces, useRoomPart, useRoomStore } from './useRoom.ts';

export interface PeoplePanelProps {
  room: RoomState | null;
  scheme: 'light' | 'dark';
  sound: boolean;
  onSound(on: boolean): void;
  onAdmit(ids: number[] | 'all'): Promise<void>;
  onDecline(person: WaitingPerson): Promise<void>;
  onRemove(person: Person): Promise<void>;
  onAdmission(admission: Admission): void;
  video: VideoCalls;
  onFailed(): void;
  onClose?: () => void;
}

export const PeoplePanel = memo(function PeoplePanel(props: PeoplePanelProps) {
  const { t } = useTranslation('room');
  const waiting = useRoomPart((model) => model.waiting);
  const people = useRoomPart((model) => model.people);
  const minutesSince = useMinutesSince();
  // Whose hand is up stands first, the longest on top.
  const hands = handsInOrder(people);
  const inOrder =
    hands.length === 0
      ? people
      : [
          ...hands.flatMap((id) => people.filter((person) => person.id === id)),
          ...people.filter((person) => !hands.includes(person.id)),
        ];
  const [removing, setRemoving] = useState<Person | null>(null);
  /** Whom calls are under way for; `all` for everybody. One person's call keeps nobody else's button from being pressed. */
  const [busy, setBusy] = useState<ReadonlySet<number | 'all'>>(new Set());
  const { room } = props;
  const asks = room?.admission !== 'open' || room.asksUntilEnd;
  const run = async (about: number | 'all', work: () => Promise<void>) => {
    setBusy((now) => new Set(now).add(about));
    try {
      await work();
    } finally {
      setBusy((now) => {
        const rest = new Set(now);
        rest.delete(about);
        return rest;
      });
    }
  };
  const isBusy = (id: number) => busy.has(id) || busy.has('all');

  return (
    <aside className="room-panel" aria-label={t('people.heading')}>
      <header>
        <h2>{t('people.heading')}</h2>
        <LateMenu
          position="bottom-end"
          maxWidth={320}
          target={
            <button type="button" className="room-quiet">
              <IconDoorEnter size={18} stroke={1.75} aria-hidden />
              {asks ? t('people.ask') : t('people.open')}
              <IconChevronDown size={16} aria-hidden />
            </button>
          }
        >
          {(Menu) => (
            <>
              {(['ask', 'open'] as const).map((choice) => (
                <Menu.RadioItem
                  key={choice}
                  value={choice}
                  checked={room?.admission === choice}
                  closeMenuOnClick
                  onChange={() => props.onAdmission(choice)}
                >
                  {t(`people.${choice}`)}
                  <span className="room-menu-hint">{t(`people.${choice}Hint`)}</span>
                </Menu.RadioItem>
              ))}
              <Menu.Divider />
              <Menu.CheckboxItem checked={props.sound} onChange={props.onSound}>
                {t('people.sound')}
              </Menu.CheckboxItem>
            </>
          )}
        </LateMenu>
        {props.onClose && (
          <ActionIcon variant="subtle" size={40} aria-label={t('people.close')} onClick={props.onClose}>
            <IconX size={20} stroke={1.75} />
          </ActionIcon>
        )}
      </header>
      {room?.asksUntilEnd && room.admission === 'open' && <p className="room-note">{t('people.asksUntilEnd')}</p>}
      {room !== null && room.wrongTries > 0 && (
        <p className="room-note" data-tone="warning">
          <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
          {t('top.wrongTries', { count: room.wrongTries })}
        </p>
      )}

      {waiting.length > 0 && (
        <section className="room-waiting" aria-label={t('people.waiting', { count: waiting.length })}>
          <h3>{t('people.waiting', { count: waiting.length })}</h3>
          <ul>
            {waiting.map((person) => (
              <li key={person.id}>
                <Initial name={person.name} />
                <div>
                  <strong>
                    {person.name}
                    {person.by === 'booking' && <em className="room-booked">{t('people.booked')}</em>}
                  </strong>
                  <span>
                    {person.connected
                      ? t(
                          person.by === 'code'
                            ? 'people.byCode'
                            : person.by === 'booking'
                              ? 'people.byBooking'
                              : 'people.byLink',
                          {
                            time:
                              minutesSince(person.arrivedOn) === 0
                                ? t('people.now')
                                : t('people.minutes', { count: minutesSince(person.arrivedOn) }),
                          },
                        )
                      : t('people.lostLine')}
                  </span>
                  {person.doubleName && <span data-tone="warning">{t('people.doubleName')}</span>}
                </div>
                <span className="room-waiting-acts">
                  <Button
                    variant="default"
                    size="xs"
                    h={36}
                    disabled={isBusy(person.id)}
                    aria-label={t('people.letInName', { name: person.name })}
                    onClick={() => run(person.id, () => props.onAdmit([person.id]))}
                  >
                    {t('people.letIn')}
                  </Button>
                  <ActionIcon
                    variant="subtle"
                    size={36}
                    disabled={isBusy(person.id)}
                    aria-label={t('people.decline', { name: person.name })}
                    onClick={() => run(person.id, () => props.onDecline(person))}
                  >
                    <IconX size={18} stroke={1.75} />
                  </ActionIcon>
                </span>
              </li>
            ))}
          </ul>
          {waiting.length > 1 && (
            <Button fullWidth loading={busy.has('all')} onClick={() => run('all', () => props.onAdmit('all'))}>
              {waiting.length === 2 ? t('people.letBothIn') : t('people.letAllIn', { count: waiting.length })}
            </Button>
          )}
        </section>
      )}

      <section className="room-people">
        <h3>{t('people.inRoom', { count: people.length, seats: SEATS })}</h3>
        {people.length === 0 && (
          <div className="room-empty-small">
            <strong>{t('people.nobody')}</strong>
            <p>{t('people.nobodyHint')}</p>
          </div>
        )}
        <ul>
          {inOrder.map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              hand={hands.indexOf(person.id) + 1}
              scheme={props.scheme}
              video={props.video}
              onFailed={props.onFailed}
              onRemove={setRemoving}
            />
          ))}
        </ul>
      </section>

      <HandsSwitch />

      <LateQuestion
        opened={removing !== null}
        title={t('people.removeTitle', { name: removing?.name ?? '' })}
        text={t('people.removeText', { name: removing?.name ?? '' })}
        yes={t('people.removeConfirm')}
        no={t('people.keep')}
        danger
        busy={removing !== null && busy.has(removing.id)}
        onNo={() => setRemoving(null)}
        onYes={() => {
          if (removing)
            void run(removing.id, async () => {
              await props.onRemove(removing);
              setRemoving(null);
            });
        }}
      />
    </aside>
  );
});

/** One switch for all clients' hands (PRODUCT 5). */
function HandsSwitch() {
  const { t } = useTranslation('room');
  const store = useRoomStore();
  const allowed = useRoomPart((model) => model.field?.handsAllowed ?? null);
  return (
    <footer>
      <div>
        <strong id="hands-title">{t('people.handsTitle')}</strong>
        <span>{t('people.handsHint')}</span>
      </div>
      <Switch
        size="md"
        aria-labelledby="hands-title"
        checked={allowed ?? true}
        disabled={allowed === null}
        onChange={(event) => store.act({ kind: 'hands', allowed: event.currentTarget.checked })}
      />
    </footer>
  );
}

const NO_FIGURES: Participant[] = [];

const PersonRow = memo(function PersonRow({
  person,
  hand,
  scheme,
  video,
  onFailed,
  onRemove,
}: {
  person: Person;
  hand: number;
  scheme: 'light' | 'dark';
  video: VideoCalls;
  onFailed(): void;
  onRemove(person: Person): void;
}) {
  const { t } = useTranslation('room');
  const { t: tv } = useTranslation('video');
  const talks = useVideoPart((model) => model.talking.includes(person.id));
  const face = useVideoPart((model) => model.room?.faces.find((candidate) => candidate.id === person.id) ?? null);
  const ask = (work: Promise<void>) => void work.catch(onFailed);
  const { t: tf } = useTranslation('field');
  const held = useRoomPart((model) => heldBy(person, model.field?.figures ?? NO_FIGURES), sameFaces);
  const sign = held[0];
  return (
    <li data-away={!person.connected || undefined}>
      {sign && sign.iconType !== 'CUSTOM' ? (
        <span className="room-sign">
          <FigureIcon kind={sign.iconType} tone={sign.color} scheme={scheme} size={34} />
        </span>
      ) : (
        <Initial name={person.name} />
      )}
      <div>
        <strong>
          {person.name}
          {talks && (
            <span className="face-talking" role="img" aria-label={tv('mark.talking')}>
              <i />
              <i />
              <i />
            </span>
          )}
          {hand > 0 && (
            <span className="room-hand" role="img" aria-label={tv('mark.hand', { place: hand })}>
              <IconHandStop size={20} stroke={1.75} aria-hidden />
              {hand}
            </span>
          )}
        </strong>
        <span>
          {!person.connected
            ? t('people.away')
            : held.length
              ? held.map((figure) => figureName(tf, figure)).join(', ')
              : t('people.watching')}
        </span>
      </div>
      <LateMenu
        position="bottom-end"
        closeOnItemClick={false}
        className="room-menu-scroll"
        target={
          <ActionIcon variant="subtle" size={40} aria-label={t('people.more', { name: person.name })}>
            <IconDots size={20} stroke={1.75} />
          </ActionIcon>
        }
      >
        {(Menu) => (
          <>
            {hand > 0 && (
              <Menu.Item
                closeMenuOnClick
                leftSection={<IconHandOff size={18} stroke={1.75} />}
                onClick={() => ask(video.raiseHand(false, person.id))}
              >
                {tv('act.lowerHand')}
              </Menu.Item>
            )}
            {face?.audio && (
              <Menu.Item
                closeMenuOnClick
                leftSection={<IconMicrophoneOff size={18} stroke={1.75} />}
                onClick={() => ask(video.mute([person.id]))}
              >
                {tv('act.mute')}
              </Menu.Item>
            )}
            {face !== null && !face.audio && (
              <Menu.Item
                closeMenuOnClick
                leftSection={<IconMicrophone size={18} stroke={1.75} />}
                onClick={() => ask(video.askToUnmute(person.id))}
              >
                {tv('act.askToUnmute')}
              </Menu.Item>
            )}
            {face !== null && (
              <Menu.CheckboxItem
                checked={person.selected}
                onChange={() => ask(video.select(person.id, !person.selected))}
              >
                {tv('act.select')}
              </Menu.CheckboxItem>
            )}
            {(face !== null || hand > 0) && <Menu.Divider />}
            <Menu.Label>{t('people.standsFor')}</Menu.Label>
            <FigureChoices parts={Menu} person={person} scheme={scheme} />
            <Menu.Divider />
            <Menu.Item
              color="danger"
              closeMenuOnClick
              leftSection={<IconDoorExit size={18} stroke={1.75} />}
              onClick={() => onRemove(person)}
            >
              {t('people.remove')}
            </Menu.Item>
          </>
        )}
      </LateMenu>
    </li>
  );
});

/** All figures, those that the person stands for with a tick. It hears of figures only while its menu is open. */
function FigureChoices({
  parts: Menu,
  person,
  scheme,
}: {
  parts: MenuParts;
  person: Person;
  scheme: 'light' | 'dark';
}) {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const store = useRoomStore();
  const figures = useRoomPart((model) => model.field?.figures ?? NO_FIGURES, sameFaces);
  if (figures.length === 0) return <Menu.Item disabled>{t('people.noFigures')}</Menu.Item>;
  return figures.map((figure) => {
    const holds = person.roles.includes(figure.id);
    return (
      <Menu.CheckboxItem
        key={figure.id}
        checked={holds}
        rightSection={
          figure.iconType === 'CUSTOM' ? undefined : (
            <FigureIcon kind={figure.iconType} tone={figure.color} scheme={scheme} size={24} />
          )
        }
        onChange={() => store.act({ kind: holds ? 'takeRole' : 'giveRole', clientId: person.id, figureId: figure.id })}
      >
        {figureName(tf, figure)}
      </Menu.CheckboxItem>
    );
  });
}

/** The figures that a person stands for, the active one first. */
function heldBy(person: Person, figures: readonly Participant[]): Participant[] {
  return figures
    .filter((figure) => person.roles.includes(figure.id))
    .sort((a, b) => Number(b.id === person.activeRole) - Number(a.id === person.activeRole));
}

export function Initial({ name }: { name: string }) {
  return (
    <span className="room-sign" aria-hidden>
      {[...name][0]?.toLocaleUpperCase() ?? '?'}
    </span>
  );
}

/** How long somebody has waited, in whole minutes, fresh twice a minute. */
function useMinutesSince(): (iso: string) => number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (iso) => Math.max(0, Math.floor((Math.max(now, Date.now()) - Date.parse(iso)) / 60_000));
}

/** Two soft notes when somebody knocks, at most once in `everyMs`. Out: the function to call at an arrival. */
export function useDoorChime(enabled: boolean, everyMs = 8000): () => void {
  const [chime] = useState(() => {
    let context: AudioContext | null = null;
    let last = -Infinity;
    return {
      enabled,
      ring() {
        if (!this.enabled || Date.now() - last < everyMs || typeof AudioContext === 'undefined') return;
        last = Date.now();
        try {
          context ??= new AudioContext();
          const start = context.currentTime;
          for (const [index, frequency] of [523.25, 659.25].entries()) {
            const oscillator = context.createOscillator();
            const gain = context.createGain();
            oscillator.frequency.value = frequency;
            gain.gain.setValueAtTime(0, start + index * 0.18);
            gain.gain.linearRampToValueAtTime(0.12, start + index * 0.18 + 0.03);
            gain.gain.exponentialRampToValueAtTime(0.001, start + index * 0.18 + 0.9);
            oscillator.connect(gain).connect(context.destination);
            oscillator.start(start + index * 0.18);
            oscillator.stop(start + index * 0.18 + 1);
          }
        } catch {
          // A browser that plays nothing before a gesture: the notice on the screen stays.
        }
      },
    };
  });
  useEffect(() => {
    chime.enabled = enabled;
  }, [chime, enabled]);
  return useCallback(() => chime.ring(), [chime]);
}
