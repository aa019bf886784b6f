/** The room as a client sees it (specification 2.1 /app/play-area-view): own role on top, the field, four controls at most. */
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconChevronDown,
  IconDoorExit,
  IconPointer,
  IconShieldCheck,
} from '@tabler/icons-react';
import type { Client } from '@fieldroom/contract/clients';
import type { Mover } from '@fieldroom/contract/field';
import type { EndReason } from '@fieldroom/contract/realtime';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FigureIcon } from '../../ui/figures/index.ts';
import { Faces, HandControl, LayoutSwitch, useLayout, VideoControls, VideoCorner } from '../video/index.ts';
import { FieldStage, useMediaQuery } from './FieldStage.tsx';
import { type IconCalls, useIconLibrary } from './icons.ts';
import { figureName } from './labels.ts';
import { LateMenu, LateQuestion, useWarmUp } from './late.tsx';
import { LineBar } from './LineBar.tsx';
import { Toast, useToast } from './Toast.tsx';
import { sameFaces, shownOf, useCanUndo, useRoomPart, useRoomStore, useWornIcons } from './useRoom.ts';
import { useUndoKeys } from './useUndoKeys.ts';
import './room.css';

export interface ClientRoomProps {
  client: Client;
  icons: IconCalls;
  scheme: 'light' | 'dark';
  /** Raises or lowers the own hand. */
  onHand(raised: boolean): Promise<void>;
  onLeave(): Promise<void>;
  onOver(reason: EndReason): void;
  onRemoved(): void;
}

export function ClientRoom({ client, icons, scheme, onHand, onLeave, onOver, onRemoved }: ClientRoomProps) {
  const { t } = useTranslation('room');
  const { t: tf } = useTranslation('field');
  const store = useRoomStore();
  const people = useRoomPart((model) => model.people);
  const stage = useLayout();
  const person = useRoomPart((model) => model.people.find((candidate) => candidate.id === client.id));
  const fieldKnown = useRoomPart((model) => model.field !== null);
  const hands = useRoomPart((model) => model.field?.handsAllowed ?? true);
  const can = useCanUndo();
  const { told, tell, close } = useToast();
  const phone = useMediaQuery('(max-width: 767px)');
  const [selectedId, setSelectedId] = useState<number | null>(null);
  const [pointing, setPointing] = useState(false);
  const videoMe = useMemo(
    () => ({ id: client.id, as: 'client' as const, name: client.name }),
    [client.id, client.name],
  );
  const videoTherapist = useMemo(
    () => ({ id: client.therapist.id, name: client.therapist.firstName }),
    [client.therapist.id, client.therapist.firstName],
  );
  const [leaving, setLeaving] = useState(false);
  const [busy, setBusy] = useState(false);
  useUndoKeys(store);
  useWarmUp('client');

  const roleKey = person ? person.roles.join(',') : client.participants.join(',');
  const me = useMemo(
    () => ({
      id: client.id,
      mover: { as: 'client', roles: roleKey.split(',').filter(Boolean).map(Number) } satisfies Mover,
    }),
    [client.id, roleKey],
  );
  const library = useIconLibrary(icons, useWornIcons());

  const held = useRoomPart((model) => shownOf(model).filter((figure) => me.mover.roles.includes(figure.id)), sameFaces);
  const active =
    held.find((figure) => figure.id === (person?.activeRole ?? client.activeParticipant)) ?? held[0] ?? null;
  const therapist = client.therapist.firstName;

  // The active role is chosen, so that keys move it; a new one is told once.
  const activeId = active?.id ?? null;
  const before = useRef<number | null | undefined>(undefined);
  useEffect(() => {
    if (before.current !== undefined && activeId !== null && activeId !== before.current && active)
      tell({ text: t('client.gotRole', { figure: figureName(tf, active) }) });
    if (fieldKnown) before.current = activeId;
    if (activeId !== null) setSelectedId(activeId);
  }, [activeId, fieldKnown]); // eslint-disable-line react-hooks/exhaustive-deps -- told once a change, not at each word

  const handsBefore = useRef(hands);
  useEffect(() => {
    if (handsBefore.current && !hands) tell({ text: t('client.handsStopped', { name: therapist }) });
    handsBefore.current = hands;
  }, [hands, t, tell, therapist]);

  useEffect(
    () =>
      store.onNotice((notice) => {
        if (notice.kind === 'over') onOver(notice.reason);
        else if (notice.kind === 'removed') onRemoved();
        else if (notice.kind === 'restart') tell({ text: t('line.restart') });
        else if (notice.kind === 'login') tell({ text: t('login', { name: notice.name }) });
        else if (notice.kind === 'logout') tell({ text: t(`logout.${notice.reason}`, { name: notice.name }) });
        else if (notice.kind === 'refused')
          tell({
            text: tf([`refused.${notice.problem.code}`, 'refused.other'] as unknown as 'refused.other'),
            tone: 'fault',
          });
      }),
    [store, tell, t, tf, onOver, onRemoved],
  );

  const videoFailed = useCallback(() => tell({ text: t('failed'), tone: 'fault' }), [tell, t]);
  const raise = (raised: boolean) => {
    void onHand(raised).catch(videoFailed);
  };

  const role = active ? (
    <>
      <span>{t('client.standFor')}</span>
      <strong>
        {active.iconType !== 'CUSTOM' && (
          <FigureIcon kind={active.iconType} tone={active.color} scheme={scheme} size={28} />
        )}
        <em data-testid="own-role">{figureName(tf, active)}</em>
        {held.length > 1 && <IconChevronDown size={18} aria-hidden />}
      </strong>
    </>
  ) : (
    <>
      <span>{t('client.watchingHint', { name: therapist })}</span>
      <strong>
        <em>{t('client.watching')}</em>
      </strong>
    </>
  );

  return (
    <div className="room room-client">
      <LineBar therapistName={therapist} />
      <section className="room-top" aria-label={t('title', { name: therapist })}>
        <h1 className="room-hidden">{t('title', { name: therapist })}</h1>
        {held.length > 1 ? (
          <LateMenu
            position="bottom-start"
            target={
              <button
                type="button"
                className="room-role"
                aria-label={`${t('client.standFor')} ${active ? figureName(tf, active) : ''}. ${t('client.choose')}`}
              >
                {role}
              </button>
            }
          >
            {(Menu) => (
              <>
                <Menu.Label>{t('client.choose')}</Menu.Label>
                {held.map((figure) => (
                  <Menu.RadioItem
                    key={figure.id}
                    value={String(figure.id)}
                    checked={figure.id === active?.id}
                    closeMenuOnClick
                    rightSection={
                      figure.iconType === 'CUSTOM' ? undefined : (
                        <FigureIcon kind={figure.iconType} tone={figure.color} scheme={scheme} size={26} />
                      )
                    }
                    onChange={() => store.act({ kind: 'activeRole', clientId: client.id, figureId: figure.id })}
                  >
                    {figureName(tf, figure)}
                  </Menu.RadioItem>
                ))}
              </>
            )}
          </LateMenu>
        ) : (
          <div className="room-role" data-watching={!active || undefined}>
            {role}
          </div>
        )}
        <span className="room-top-space" />
        <LayoutSwitch />
        {(!phone || !stage.taking) && (
          <span className="room-private" title={t('private')}>
            <IconShieldCheck size={18} stroke={1.75} aria-hidden />
            {phone ? t('privateShort') : t('private')}
          </span>
        )}
      </section>
      <div
        className="room-stage"
        data-layout={stage.layout}
        data-strip={stage.strip}
        data-faces={stage.taking || undefined}
      >
        <FieldStage
          me={me}
          therapistName={therapist}
          scheme={scheme}
          beams
          library={library}
          selectedId={selectedId}
          onSelect={setSelectedId}
          pointing={pointing}
          onPointing={setPointing}
          startView={phone ? 'own' : 'field'}
          wholeButton={phone}
          emptyText={{ title: tf('empty.client') }}
        >
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
            <button
              type="button"
              className="room-corner-button"
              aria-label={tf('rail.undo')}
              title={tf('rail.undo')}
              onClick={() => store.undo()}
              disabled={!can.undo}
            >
              <IconArrowBackUp size={20} stroke={1.75} aria-hidden />
            </button>
            <button
              type="button"
              className="room-corner-button"
              aria-label={tf('rail.redo')}
              title={tf('rail.redo')}
              onClick={() => store.redo()}
              disabled={!can.redo}
            >
              <IconArrowForwardUp size={20} stroke={1.75} aria-hidden />
            </button>
            {phone && (
              <VideoCorner me={{ as: 'client' }} calls={null} onFailed={videoFailed} onMutedAll={() => undefined} />
            )}
          </div>
        </FieldStage>
        <Faces me={videoMe} therapist={videoTherapist} people={people} phone={phone} />
      </div>
      <footer className="room-bar" style={{ display: 'flex', justifyContent: 'center' }}>
        <div className="room-controls">
          <VideoControls
            me={{ as: 'client' }}
            therapistName={therapist}
            calls={null}
            phone={phone}
            onFailed={videoFailed}
            onMutedAll={() => undefined}
          />
          <HandControl raised={person?.handRaisedOn != null} onRaise={raise} />
          <button type="button" className="room-control" onClick={() => setLeaving(true)}>
            <IconDoorExit size={24} stroke={1.75} aria-hidden />
            {t('client.leave')}
          </button>
        </div>
      </footer>
      <LateQuestion
        opened={leaving}
        title={t('client.leaveTitle')}
        text={t('client.leaveText')}
        yes={t('client.leave')}
        no={t('client.stay')}
        busy={busy}
        onNo={() => setLeaving(false)}
        onYes={() => {
          setBusy(true);
          void onLeave().finally(() => setBusy(false));
        }}
      />
      <Toast told={told} onClose={close} />
    </div>
  );
}
