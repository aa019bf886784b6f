/** The held state: how long the place is held, what to do now, and what to do when no email arrives. */
import { EMAIL_INPUT } from '../../emailInput.ts';
import { email as emailAddress } from '@fieldroom/contract/text';
import { HOLD_MINUTES, correctHold, resendHold } from '@fieldroom/contract/bookings';
import { hostPage } from '@fieldroom/contract/pages';
import { IconCheck, IconMail } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../../../../platform/api/request.ts';
import { Rings } from '../../../../ui/figures/Brand.tsx';
import { anonymousApi } from '../../anonymousApi.ts';
import { Alert, Field } from '../../../../light/controls.tsx';
import { browserZone } from '../../../../platform/i18n/formats.ts';
import { useProductClock, useSecondsUntil } from '../../frame/productClock.ts';
import { oneLine, priceText, type ShownEvent, totalText } from '../../event/EventFacts.tsx';
import { formFault } from '../../../../platform/forms/formFault.ts';
import type { Standing } from './useHolding.ts';
import { hostOf } from '../email/bookingByToken.tsx';
import { type KeptHold, type TabNews, timeAndPlace } from '../../sessionStorage.ts';
import { PageFrame, Picture } from '../../frame/PageFrame.tsx';
import { timeAt } from '../../event/eventTimes.ts';
import { usePublicWords } from '../../usePublicWords.ts';
import parts from '../../frame/parts.module.css';
import styles from './HeldPage.module.css';
import buttons from '../../../../light/buttons.module.css';

export interface HeldPageProps {
  hold: KeptHold;
  /** The state as the server reports it. */
  view: Standing;
  /** The answer given in this browser. */
  answer: TabNews['state'] | null;
  /** The hold after resending or correcting the address, with the next handle. */
  onHold(hold: KeptHold): void;
  /** Asks the server for the current state. */
  onLook(): Promise<void>;
  /** Returns to the event's page; the hold stays. */
  onEvent(): void;
  /** The hold has ended: books again. */
  onAgain(): void;
}

const LAST_MINUTE = 60;
const STATES = {
  HELD: 'held',
  EXPIRED: 'over',
  ANSWERED: 'ANSWERED',
  EVENT_CANCELLED: 'event_cancelled',
  EVENT_CLOSED: 'event_closed',
} as const;

/** The shown server state, as long as no answer was given. */
function stateOf(
  { state, isLost }: Standing,
  begun: boolean,
  over: boolean,
): (typeof STATES)[keyof typeof STATES] | 'unknown' {
  if (state !== 'HELD') return STATES[state];
  // The email may have confirmed it.
  if (over && isLost) return 'unknown';
  if (begun) return 'event_closed';
  return over ? 'over' : 'held';
}

/**
 * Counts the hold down on the product's clock (docs/product.md#9.7) and asks the server at its end. Sends the email
 * again or to a corrected address. An answer given in another tab of this browser is shown here too.
 */
export function HeldPage({ hold, view, answer, onHold, onLook, onEvent, onAgain }: HeldPageProps) {
  const { t, language } = usePublicWords();
  const { event, heldUntil, asOf } = view;
  const clock = useProductClock(view.state === 'HELD' && answer === null, asOf);
  const left = useSecondsUntil(clock, heldUntil);
  const begun = useSecondsUntil(clock, event.startsOn) === 0;
  const title = useRef<HTMLHeadingElement>(null);
  // The page's clock notices the end before the next request does. After giving the place back, people need not hear
  // what happens to the event.
  const told =
    view.state === 'EVENT_CANCELLED' && answer !== 'DECLINED' && answer !== 'CANCELLED' ? 'event_cancelled' : answer;
  const state = told ?? stateOf(view, begun, left === 0);
  const ended = state === 'event_cancelled' || state === 'event_closed';
  const untilStart = heldUntil === event.startsOn;
  const moved = state === 'held' && hold.booked !== undefined && hold.booked !== timeAndPlace(event);
  // When the hold ends, ask the server: the booking may have been confirmed elsewhere.
  const ranOut = left === 0 && view.state === 'HELD';
  useEffect(() => {
    if (ranOut) void onLook();
  }, [ranOut, onLook]);
  useEffect(() => title.current?.focus({ preventScroll: true }), [state]);

  const host = hostOf(view);
  const words = { email: hold.email, time: timeAt(Date.parse(heldUntil), browserZone()), name: host.firstName };
  return (
    <PageFrame title={t(`held.${state}.title`)} host={host} kind="still">
      <Rings first={250} count={6} className={parts.rings} />
      <section className={`${parts.panel} ${styles.held}`} aria-labelledby="held-title">
        <div className={styles.head}>
          {state === 'held' || state === 'over' ? (
            <Ring left={state === 'over' ? 0 : left} />
          ) : state === 'CONFIRMED' ? (
            <span className={`${parts.done} ${parts.doneLarge}`}>
              <IconCheck size={44} stroke={2} aria-hidden />
            </span>
          ) : null}
          <div>
            <h1 id="held-title" className="fr-voice" ref={title} tabIndex={-1}>
              {t(`held.${state}.title`)}
            </h1>
            <p className={parts.lead}>
              <WithMail text={t(`held.${state}.text`, { ...words, email: '{{email}}' })} email={hold.email} />
            </p>
          </div>
        </div>
        <p className="fr-hidden" role="status">
          {state === 'held' && left !== null && left <= LAST_MINUTE ? t('held.lastMinute') : ''}
        </p>
        {moved ? (
          <div className={parts.note} role="status">
            <p className={parts.noteTitle}>{oneLine(event, language, t)}</p>
            <p>{t('email.moved')}</p>
          </div>
        ) : null}
        {state === 'held' ? (
          <>
            <ol className={styles.steps}>
              <Step
                mark={<IconCheck size={18} stroke={2.2} aria-hidden />}
                kind="done"
                title={t('held.steps.held')}
                text={t(untilStart ? 'held.steps.untilStart' : 'held.steps.until', words)}
              />
              <Step mark="2" kind="now" title={t('held.steps.confirm')} text={t('held.steps.spam')} />
              <Step mark="3" kind="next" title={t('held.steps.booked')} text={t('held.steps.follow')} />
            </ol>
            <EmailActs
              hold={hold}
              until={t(untilStart ? 'held.endsAtStart' : hold.extendable ? 'held.renews' : 'held.renewed', words)}
              onHold={onHold}
            />
          </>
        ) : null}
        {state === 'over' ? (
          <div className={parts.actions}>
            <button type="button" className={buttons.button} onClick={onAgain}>
              {t('held.again')}
            </button>
          </div>
        ) : null}
        {state === 'DECLINED' || state === 'CANCELLED' || state === 'ANSWERED' || state === 'unknown' ? (
          <div className={parts.actions}>
            <button type="button" className={buttons.secondary} onClick={onAgain}>
              {t('held.toEvent')}
            </button>
          </div>
        ) : null}
        {ended ? (
          <div className={parts.actions}>
            <a className={buttons.button} href={hostPage(host.therapistName)}>
              {t('held.toOthers', words)}
            </a>
          </div>
        ) : null}
        <EventLine
          event={event}
          places={hold.places ?? 1}
          onOpen={state === 'event_cancelled' ? null : state === 'held' ? onEvent : onAgain}
        />
      </section>
    </PageFrame>
  );
}

/** Emphasises the address in its sentence, at the position of the language. */
function WithMail({ text, email }: { text: string; email: string }) {
  const [before = '', ...after] = text.split('{{email}}');
  return after.length === 0 ? (
    text
  ) : (
    <>
      {before}
      <strong>{email}</strong>
      {after.join('')}
    </>
  );
}

const RADIUS = 67;
const ROUND = 2 * Math.PI * RADIUS;

/**
 * The time left as a ring that empties, in the warning colour for the last minute. Takes seconds, null while the clock
 * is unknown.
 */
function Ring({ left }: { left: number | null }) {
  const { t } = usePublicWords();
  const share = left === null ? 1 : Math.min(1, left / (HOLD_MINUTES * 60));
  const shown = left === null ? '–:––' : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <div className={styles.ring} role="timer" data-late={left !== null && left <= LAST_MINUTE}>
      <svg viewBox="0 0 148 148" aria-hidden focusable="false">
        <circle cx="74" cy="74" r={RADIUS} />
        {share > 0 ? (
          <circle
            className={styles.timeLeft}
            cx="74"
            cy="74"
            r={RADIUS}
            strokeDasharray={`${share * ROUND} ${ROUND}`}
            transform="rotate(-90 74 74)"
          />
        ) : null}
      </svg>
      <p>
        <strong>{shown}</strong>
        <span>{t('held.minutesLeft')}</span>
      </p>
    </div>
  );
}

const STEPS = { done: styles.stepDone, now: styles.stepNow, next: '' };

function Step({
  mark,
  kind,
  title,
  text,
}: {
  mark: ReactNode;
  kind: 'done' | 'now' | 'next';
  title: string;
  text: string;
}) {
  return (
    <li className={`${styles.step} ${STEPS[kind]}`} aria-current={kind === 'now' ? 'step' : undefined}>
      <span aria-hidden>{mark}</span>
      <div>
        <p>{title}</p>
        <p>{text}</p>
      </div>
    </li>
  );
}

/** Sends the email again or to another address. Uses the hold's handle, which every reply renews. */
function EmailActs({ hold, until, onHold }: Pick<HeldPageProps, 'hold' | 'onHold'> & { until: string }) {
  const { t, refusal, fault } = usePublicWords();
  const [correcting, setCorrecting] = useState(false);
  const [email, setEmail] = useState('');
  const [emailAt, setEmailAt] = useState<{ key: string | null; count: number }>({ key: null, count: 0 });
  const [busy, setBusy] = useState<'resend' | 'correct' | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);

  const act = async (what: 'resend' | 'correct', to: string) => {
    if (busy !== null) return;
    setBusy(what);
    setProblem(null);
    setSentTo(null);
    setEmailAt({ key: null, count: 0 });
    try {
      const next =
        what === 'resend'
          ? await anonymousApi.call(resendHold, { body: { handle: hold.handle } })
          : await anonymousApi.call(correctHold, { body: { handle: hold.handle, email: to } });
      onHold({ ...hold, ...next, email: to });
      setSentTo(to);
      setCorrecting(false);
    } catch (refused) {
      const key =
        refused instanceof ApiProblem && what === 'correct'
          ? refused.fields.find(({ path }) => path === 'email')?.code
          : undefined;
      if (key) setEmailAt(({ count }) => ({ key, count: count + 1 }));
      else setProblem(refused);
    }
    setBusy(null);
  };
  const correct = (submission: FormEvent) => {
    submission.preventDefault();
    const key = formFault(emailAddress, email);
    if (key !== null) return setEmailAt(({ count }) => ({ key, count: count + 1 }));
    void act('correct', email.trim());
  };
  // Here both mean the hold, not the link of an email.
  const refused = (fault_: unknown) =>
    fault_ instanceof ApiProblem && (fault_.code === 'link_invalid' || fault_.code === 'booking_ended')
      ? t(`held.refused.${fault_.code}`)
      : refusal(fault_);
  return (
    <div className={styles.emailActions}>
      <div className={`${parts.actions} ${styles.actions}`}>
        <button
          type="button"
          className={buttons.secondary}
          aria-disabled={busy !== null}
          onClick={() => void act('resend', hold.email)}
        >
          <IconMail size={20} stroke={1.75} aria-hidden />
          {t(busy === 'resend' ? 'held.sending' : 'held.resend')}
        </button>
        <button
          type="button"
          className={parts.link}
          aria-expanded={correcting}
          onClick={() => {
            setCorrecting(!correcting);
            setEmail(hold.email);
            setEmailAt({ key: null, count: correcting ? 0 : 1 });
          }}
        >
          {t('held.correct')}
        </button>
      </div>
      {correcting ? (
        <form className={`${parts.form} ${styles.correct}`} noValidate onSubmit={correct}>
          <Field
            label={t('held.rightAddress')}
            required
            value={email}
            onChange={(value) => {
              setEmail(value);
              setEmailAt({ key: null, count: 0 });
            }}
            focusCount={emailAt.count}
            fault={emailAt.key ? fault('email', emailAt.key) : null}
            input={EMAIL_INPUT}
          />
          <button type="submit" className={buttons.button} aria-disabled={busy !== null}>
            {t(busy === 'correct' ? 'held.sending' : 'held.sendThere')}
          </button>
        </form>
      ) : null}
      {problem ? <Alert>{refused(problem)}</Alert> : null}
      <p role="status" className={parts.sent}>
        {sentTo === null ? '' : t('held.sent', { email: sentTo })}
      </p>
      <p className={parts.small}>{until}</p>
    </div>
  );
}

interface EventLineProps {
  event: ShownEvent;
  /** Of this booking. */
  places: number;
  /** Null when there is no longer a page to go to. */
  onOpen: (() => void) | null;
}

function EventLine({ event, places, onOpen }: EventLineProps) {
  const { t, language } = usePublicWords();
  const price = totalText(event, places, language, t) ?? priceText(event, language, t);
  return (
    <div className={`${styles.event} ${parts.eventLine}`}>
      <Picture event={event} className={styles.thumbnail} />
      <div>
        <p className={parts.eventName}>
          {onOpen === null ? (
            event.eventName
          ) : (
            <button type="button" className={parts.stretched} onClick={onOpen}>
              {event.eventName}
            </button>
          )}
        </p>
        <p>
          {oneLine(event, language, t)} · {price}
        </p>
        {places > 1 ? <p>{t('places.yours', { count: places })}</p> : null}
      </div>
    </div>
  );
}
