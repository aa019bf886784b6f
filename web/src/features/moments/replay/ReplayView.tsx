/**
 * A look back at a live session, move by move: the field at a position, the last move, and the controls. It changes
 * nothing.
 */
import type { Moment } from '@fieldroom/contract/moments';
import {
  IconHistory,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
} from '@tabler/icons-react';
import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';
import { type FieldGround, FieldStill } from '../../field/picture/index.ts';
import { useMomentWords } from '../useMomentWords.ts';
import { positionOf, type Span, type Standing } from './replayModel.ts';
import { SPEEDS, useReplay } from './useReplay.ts';
import styles from './ReplayView.module.css';

export interface ReplayViewProps {
  sessionId: number;
  /** The initial position. */
  begin: number | 'start';
  ground: FieldGround | null;
  /** The field's revision while the live session runs. */
  revision?: number;
}

type Looking = ReturnType<typeof useReplay>;

/**
 * In the room's dialog and in the details of a past live session (docs/product.md#6.16). A position is a number of
 * moves: at `n` the field is that after move `n`. Reports if the earliest moves are gone (docs/product.md#6.15).
 */
export function ReplayView({ sessionId, begin, ground, revision }: ReplayViewProps) {
  const { t } = useTranslation('moments');
  const { t: tc } = useTranslation('common');
  const looking = useReplay(sessionId, begin, revision);
  const { query, replay, span, part } = looking;
  const fault = replay ? (part.data ? null : part.error) : query.error;
  if (fault)
    return (
      <LoadFault
        text={`${t('replay.failed')} ${problemText(sayProblem, fault)}`}
        retry={tc('tryAgain')}
        onRetry={() => void (replay ? part.refetch() : query.refetch())}
      />
    );
  if (!replay) return <Bones />;
  if (!span || (span.first === span.last && replay.moments.length === 0))
    return <p className={styles.none}>{t(replay.endedOn === null ? 'replay.noneYet' : 'replay.none')}</p>;
  if (!looking.shown) return <Bones />;
  return (
    <Shown
      looking={looking}
      span={span}
      standing={looking.shown}
      moments={replay.moments}
      live={replay.endedOn === null}
      ground={ground}
    />
  );
}

function Bones() {
  const { t: tc } = useTranslation('common');
  return (
    <div role="status" aria-busy="true" aria-label={tc('loading')} className={styles.replay}>
      <Skeleton className={styles.picture} radius={16} />
      <Skeleton height={44} radius={8} />
    </div>
  );
}

interface ShownProps {
  looking: Looking;
  span: Span;
  standing: Standing & { places: Parameters<typeof FieldStill>[0]['figures'] };
  moments: readonly Moment[];
  live: boolean;
  ground: FieldGround | null;
}

const touched = ({ move }: Standing): Map<number, string> =>
  new Map(
    (move?.steps ?? []).flatMap((step) =>
      'gone' in step ? [] : [['put' in step ? step.put.id : step.figureId, ''] as const],
    ),
  );

function Shown({ looking, span, standing, moments, live, ground }: ShownProps) {
  const { t } = useTranslation('moments');
  const say = useMomentWords();
  const { position } = looking;
  const { move, before, at } = standing;
  const what = move && before ? say.move(before, move) : t('replay.start');
  const where = t(position === span.first ? 'replay.atStart' : 'replay.atMove', {
    number: position,
    last: span.last,
    what,
    time: say.time(at),
  });
  // A group of figures that moved at once needs no rings around all of them.
  const marks = move?.kind === 'act' || move?.kind === 'undo' ? touched(standing) : undefined;
  return (
    <div className={styles.replay} data-position={position}>
      <p className={styles.past}>
        <IconHistory size={18} stroke={1.75} aria-hidden />
        {t(live ? 'replay.pastLive' : 'replay.past')}
      </p>
      <div className={styles.picture} data-testid="look-back">
        <FieldStill
          figures={standing.figures}
          fit={standing.places}
          label={t('replay.field', { count: standing.figures.length, time: say.time(at) })}
          names
          described
          glide
          ground={ground}
          {...(marks ? { marks } : {})}
        />
      </div>
      <p className={styles.where}>
        <span>{what}</span>
        {move ? <span className={styles.by}>{t(`by.${move.by}`)}</span> : null}
        <time dateTime={at}>{say.time(at)}</time>
      </p>
      <Controls looking={looking} span={span} where={where} moments={moments} />
      {span.first > 0 ? <p className={styles.cut}>{t('replay.cut', { count: span.first })}</p> : null}
    </div>
  );
}

function Controls({
  looking,
  span,
  where,
  moments,
}: {
  looking: Looking;
  span: Span;
  where: string;
  moments: readonly Moment[];
}) {
  const { t } = useTranslation('moments');
  const say = useMomentWords();
  const { position, playing, go } = looking;
  const share = (at: number) => (span.last === span.first ? 0 : (at - span.first) / (span.last - span.first));
  return (
    <div className={styles.controls}>
      <div className={styles.slider}>
        <input
          type="range"
          aria-label={t('replay.slider')}
          aria-valuetext={where}
          min={span.first}
          max={span.last}
          step={1}
          value={position}
          disabled={span.first === span.last}
          onChange={(event) => go(Number(event.currentTarget.value))}
        />
        <div className={styles.marks} aria-hidden>
          {moments.map((moment) => (
            <span key={moment.id} style={{ insetInlineStart: `${share(positionOf(span, moment)) * 100}%` }} />
          ))}
        </div>
      </div>
      <div className={styles.buttons}>
        <button
          type="button"
          aria-label={t('replay.back')}
          title={t('replay.back')}
          disabled={position <= span.first}
          onClick={() => go(position - 1)}
        >
          <IconPlayerTrackPrev size={20} stroke={1.75} aria-hidden />
        </button>
        <button
          type="button"
          className={styles.play}
          disabled={span.first === span.last}
          onClick={() => (playing ? looking.pause() : looking.play())}
        >
          {playing ? <IconPlayerPauseFilled size={18} aria-hidden /> : <IconPlayerPlayFilled size={18} aria-hidden />}
          {t(playing ? 'replay.pause' : 'replay.play')}
        </button>
        <button
          type="button"
          aria-label={t('replay.on')}
          title={t('replay.on')}
          disabled={position >= span.last}
          onClick={() => go(position + 1)}
        >
          <IconPlayerTrackNext size={20} stroke={1.75} aria-hidden />
        </button>
        <span className={styles.count}>{t('replay.count', { number: position, last: span.last })}</span>
        <div role="group" aria-label={t('replay.speed')} className={styles.speeds}>
          {SPEEDS.map((speed) => (
            <button
              key={speed}
              type="button"
              aria-pressed={looking.speed === speed}
              aria-label={t('replay.times', { speed })}
              onClick={() => looking.setSpeed(speed)}
            >
              {speed}×
            </button>
          ))}
        </div>
      </div>
      {moments.length > 0 ? (
        <ul className={styles.moments} aria-label={t('replay.moments')}>
          {moments.map((moment) => (
            <li key={moment.id}>
              <button
                type="button"
                aria-pressed={!playing && position === positionOf(span, moment)}
                onClick={() => go(positionOf(span, moment))}
              >
                {say.moment(moment)}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {/* Moves are not announced during playback; the position is announced when it stops. */}
      <p className="fr-hidden" role="status">
        {playing ? '' : where}
      </p>
    </div>
  );
}
