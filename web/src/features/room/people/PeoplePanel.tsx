/** The waiting people and those in the room, for the therapist. */
import { type Admission, type Person, type RoomState, type WaitingPerson, SEATS } from '@fieldroom/contract/clients';
import { ActionIcon } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown, IconDoorEnter, IconRefresh, IconX } from '@tabler/icons-react';
import { memo, type ReactNode, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyMenu } from '../../../ui/lazy/LazyMenu.tsx';
import { Switch } from '../../../ui/controls/choices/Switch.tsx';
import { LazyInvitationSwitch } from '../../observerWords/index.ts';
import { handsInOrder, LazyStageControl, type VideoCalls } from '../../video/index.ts';
import { LazyQuestion } from '../dialogs/lazyDialogs.tsx';
import { useRoomPart, useRoomStore } from '../store/useRoom.ts';
import { PersonRow } from './PersonRow.tsx';
import { useBusy } from './useBusy.ts';
import { useFocusKept } from './useFocusKept.ts';
import { WaitingList } from './WaitingList.tsx';
import styles from './PeoplePanel.module.css';

/** The therapist's acts on people. */
export interface PeopleActs {
  onAdmit(ids: number[]): Promise<void>;
  onDecline(person: WaitingPerson): Promise<void>;
  onClearWaiting(): Promise<void>;
  onRemove(person: Person): Promise<void>;
  onAdmission(admission: Admission): void;
  onRenewLink(): Promise<void>;
}

export interface PeoplePanelProps extends PeopleActs {
  room: RoomState | null;
  scheme: 'light' | 'dark';
  sound: boolean;
  onSound(on: boolean): void;
  video: VideoCalls;
  onFailed(): void;
  onClose?: () => void;
}

/** The question before an act. */
type Asked = { about: 'clear' } | { about: 'link' } | { about: 'remove'; person: Person };

/**
 * The waiting list, the switches for admission and for moving figures, and a row for each person, raised hands first.
 * Acts that remove somebody or renew the link ask first. `room` is null until the server has answered.
 */
export const PeoplePanel = memo(function PeoplePanel(props: PeoplePanelProps) {
  const { t } = useTranslation('room');
  const { room } = props;
  const waiting = useRoomPart((model) => model.waiting);
  const people = useRoomPart((model) => model.people);
  const [asked, setAsked] = useState<Asked | null>(null);
  const busy = useBusy();
  const panel = useRef<HTMLElement>(null);
  const focus = useFocusKept(waiting.length, panel);
  const hands = handsInOrder(people);
  const asksFirst = room?.admission !== 'open' || room.asksUntilEnd;
  const close = () => setAsked(null);
  const askRemove = useCallback((person: Person) => setAsked({ about: 'remove', person }), []);

  return (
    <aside ref={panel} className={styles.panel} aria-label={t('people.heading')} tabIndex={-1}>
      <header>
        <h2>{t('people.heading')}</h2>
        <AdmissionMenu {...props} asksFirst={asksFirst} onRenew={() => setAsked({ about: 'link' })} />
        {props.onClose && (
          <ActionIcon variant="subtle" size={40} aria-label={t('people.close')} onClick={props.onClose}>
            <IconX size={20} stroke={1.75} />
          </ActionIcon>
        )}
      </header>
      {room?.asksUntilEnd && room.admission === 'open' && <p className={styles.note}>{t('people.asksUntilEnd')}</p>}
      {!asksFirst && <Warning>{t('people.openNote')}</Warning>}
      {room !== null && room.wrongTries > 0 && <Warning>{t('top.wrongTries', { count: room.wrongTries })}</Warning>}

      {waiting.length > 0 && (
        <WaitingList
          waiting={waiting}
          busy={busy}
          acts={props}
          focus={focus}
          onClear={() => setAsked({ about: 'clear' })}
        />
      )}

      <section className={styles.people}>
        <h3>{t('people.inRoom', { count: people.length, seats: SEATS })}</h3>
        {people.length === 0 && <NobodyIn waits={waiting.length > 0} asksFirst={asksFirst} />}
        <ul>
          {raisedFirst(people, hands).map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              hand={hands.indexOf(person.id) + 1}
              scheme={props.scheme}
              video={props.video}
              onFailed={props.onFailed}
              onRemove={askRemove}
            />
          ))}
        </ul>
      </section>

      <LazyStageControl calls={props.video} onFailed={props.onFailed} />
      <LazyInvitationSwitch />
      <HandsSwitch />

      <LazyQuestion
        opened={asked?.about === 'clear'}
        title={t('people.clearTitle')}
        text={t('people.clearText')}
        yes={t('people.clearConfirm')}
        no={t('people.clearCancel')}
        danger
        busy={busy.is('all')}
        onNo={close}
        onYes={() => void busy.run('all', () => props.onClearWaiting().then(close))}
      />
      <LazyQuestion
        opened={asked?.about === 'link'}
        title={t('people.renewTitle')}
        text={t('people.renewText')}
        yes={t('people.renewConfirm')}
        no={t('people.renewCancel')}
        busy={busy.is('link')}
        onNo={close}
        onYes={() => void busy.run('link', () => props.onRenewLink().then(close))}
      />
      <RemoveQuestion
        person={asked?.about === 'remove' ? asked.person : null}
        isBusy={busy.is}
        onNo={close}
        onYes={(person) => void busy.run(person.id, () => props.onRemove(person).then(close))}
      />
    </aside>
  );
});

interface RemoveQuestionProps {
  person: Person | null;
  isBusy(id: number): boolean;
  onNo(): void;
  onYes(person: Person): void;
}

function RemoveQuestion({ person, isBusy, onNo, onYes }: RemoveQuestionProps) {
  const { t } = useTranslation('room');
  const name = person?.name ?? '';
  return (
    <LazyQuestion
      opened={person !== null}
      title={t('people.removeTitle', { name })}
      text={t('people.removeText', { name })}
      yes={t('people.removeConfirm')}
      no={t('people.keep')}
      danger
      busy={person !== null && isBusy(person.id)}
      onNo={onNo}
      onYes={() => person && onYes(person)}
    />
  );
}

/** The text of the empty list. Waiting people have already arrived and no longer need a link. */
function NobodyIn({ waits, asksFirst }: { waits: boolean; asksFirst: boolean }) {
  const { t } = useTranslation('room');
  return (
    <div className={styles.empty}>
      {!waits && <strong>{t('people.nobody')}</strong>}
      <p>{waits ? t('people.nobodyIn') : t(asksFirst ? 'people.nobodyHint' : 'people.nobodyHintOpen')}</p>
    </div>
  );
}

/** People with raised hands come first, the one who has waited longest on top. */
function raisedFirst(people: readonly Person[], hands: readonly number[]): readonly Person[] {
  if (hands.length === 0) return people;
  const raised = hands.flatMap((id) => people.filter((person) => person.id === id));
  return [...raised, ...people.filter((person) => !hands.includes(person.id))];
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <p className={styles.note} data-tone="warning">
      <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
      {children}
    </p>
  );
}

interface AdmissionMenuProps extends Pick<PeoplePanelProps, 'room' | 'sound' | 'onSound' | 'onAdmission'> {
  /** People are admitted one by one. */
  asksFirst: boolean;
  /** Asks whether to renew the join link. */
  onRenew(): void;
}

function AdmissionMenu({ room, sound, onSound, onAdmission, asksFirst, onRenew }: AdmissionMenuProps) {
  const { t } = useTranslation('room');
  return (
    <LazyMenu
      position="bottom-end"
      maxWidth={320}
      target={
        <button type="button" className={styles.quiet}>
          <IconDoorEnter size={18} stroke={1.75} aria-hidden />
          {asksFirst ? t('people.ask') : t('people.open')}
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
              onChange={() => onAdmission(choice)}
            >
              {t(`people.${choice}`)}
              <span className={styles.menuHint}>{t(`people.${choice}Hint`)}</span>
            </Menu.RadioItem>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconRefresh size={18} stroke={1.75} aria-hidden />} onClick={onRenew}>
            {t('people.renewLink')}
          </Menu.Item>
          <Menu.CheckboxItem checked={sound} onChange={onSound}>
            {t('people.sound')}
          </Menu.CheckboxItem>
        </>
      )}
    </LazyMenu>
  );
}

/** One switch that lets all clients move figures or pauses them. */
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
        labelledBy="hands-title"
        on={allowed ?? true}
        disabled={allowed === null}
        onTurn={(on) => store.act({ kind: 'hands', allowed: on })}
      />
    </footer>
  );
}
