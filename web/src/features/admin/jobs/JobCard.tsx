/** One scheduled job: what it does, when, and its last result; run it, reschedule it, switch it off. */
import { CRON_SCHEDULE_MAX, type CronJob, runCronJob, saveCronJob } from '@fieldroom/contract/admin';
import { optionalLine } from '@fieldroom/contract/text';
import { Button, TextInput } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem, api } from '../../../platform/api/index.ts';
import { formFault } from '../../../platform/forms/formFault.ts';
import { currentLanguage, sayProblem } from '../../../platform/i18n/app.ts';
import { distanceWords } from '../../../platform/i18n/distances.ts';
import { faultText, problemText } from '../../../platform/i18n/faults.ts';
import { useSinglePress } from '../../../platform/forms/useSinglePress.ts';
import { Callout } from '../../../ui/states/Callout.tsx';
import { Switch } from '../../../ui/controls/choices/Switch.tsx';
import { adminQueries } from '../adminQueries.ts';
import { instantWords, numberWords } from '../adminWords.ts';
import { scheduleWords } from './schedule.ts';
import styles from './JobCard.module.css';

/** Runs and saves a job. The list shows the server's answer at once. */
function useJob(type: CronJob['type']) {
  const queries = useQueryClient();
  const { queryKey } = adminQueries.jobs();
  const took = (job: CronJob) =>
    queries.setQueryData(queryKey, (before) => before?.map((other) => (other.type === job.type ? job : other)));
  const running = useMutation({
    mutationFn: () => api.call(runCronJob, { body: { type } }),
    onSuccess: took,
    // Somebody else may be running it: the page shows the current state.
    onError: () => queries.invalidateQueries({ queryKey }),
  });
  const saving = useMutation({
    mutationFn: (change: { schedule?: string; enabled?: boolean }) =>
      api.call(saveCronJob, { body: { type, ...change } }),
    onSuccess: took,
  });
  return { running, saving, run: useSinglePress(running.mutateAsync), save: useSinglePress(saving.mutateAsync) };
}

/**
 * `now` is the product's time in milliseconds. A saved or finished job shows at once, from the server's answer. Faults
 * of the cron expression are shown at its field.
 */
export function JobCard({ job, now }: { job: CronJob; now: number }) {
  const { t } = useTranslation('admin');
  const nameId = useId();
  const { running, saving, run, save } = useJob(job.type);
  const name = t(`job.${job.type}.name`);
  const isRunning = job.running || running.isPending;
  /** Faults of the expression are shown at its field. */
  const atField = saving.error instanceof ApiProblem && saving.error.fields.some(({ path }) => path === 'schedule');
  const fault = running.error ?? (atField ? null : saving.error);

  return (
    <section className={styles.card} aria-labelledby={nameId} data-off={!job.enabled || undefined}>
      <div className={styles.head}>
        <div>
          <h2 id={nameId}>{name}</h2>
          <p>{t(`job.${job.type}.text`)}</p>
        </div>
        <span className={styles.switch}>
          <span aria-hidden>{job.enabled ? t('jobs.on') : t('jobs.off')}</span>
          <Switch
            labelledBy={nameId}
            on={job.enabled}
            disabled={saving.isPending}
            onTurn={(enabled) => {
              running.reset();
              save({ enabled });
            }}
          />
        </span>
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>{t('jobs.schedule')}</dt>
          <dd>
            <Schedule
              job={job}
              busy={saving.isPending}
              fault={atField ? t('jobs.scheduleFault') : null}
              onTyped={saving.reset}
              onSave={(schedule, onSaved) => {
                running.reset();
                save({ schedule }, { onSuccess: onSaved });
              }}
            />
          </dd>
        </div>
        <div>
          <dt>{t('jobs.last')}</dt>
          <dd>
            <LastRun job={job} now={now} />
          </dd>
        </div>
        <div>
          <dt>{t('jobs.next')}</dt>
          <dd>
            {job.nextRunOn === null ? (
              t('jobs.neverNext')
            ) : (
              <>
                {instantWords(job.nextRunOn)} <span className={styles.muted}>{distanceFrom(now, job.nextRunOn)}</span>
              </>
            )}
          </dd>
        </div>
      </dl>
      <div className={styles.acts}>
        <Button
          variant="default"
          size="sm"
          loading={isRunning}
          leftSection={<IconPlayerPlay size={18} stroke={1.75} aria-hidden />}
          aria-label={t('jobs.runName', { name })}
          onClick={() => {
            saving.reset();
            run();
          }}
        >
          {t('jobs.run')}
        </Button>
        <span role="status" className={styles.muted}>
          {isRunning ? t('jobs.running') : <Told saved={saving.isSuccess} ran={running.data ? job : null} />}
        </span>
      </div>
      {fault ? (
        <Callout tone="fault" role="alert">
          {fault instanceof ApiProblem && fault.code === 'conflict'
            ? t('jobs.runsAlready')
            : problemText(sayProblem, fault)}
        </Callout>
      ) : null}
    </section>
  );
}

const distanceFrom = (now: number, instant: string) => distanceWords(currentLanguage(), Date.parse(instant), now);

/** The result of the last press. `ran`: the job after it was run from here. */
function Told({ saved, ran }: { saved: boolean; ran: CronJob | null }) {
  const { t } = useTranslation('admin');
  if (saved) return t('jobs.saved');
  if (ran === null) return null;
  return ran.lastResult === 'failed' ? t('jobs.ranBadly') : t('jobs.ran');
}

/** The result of a run: `bills 3`, in words if the numbers have any. */
function countWords(t: TFunction<'admin'>, [name, count]: [string, number]): string {
  const key = `count.${name}`;
  const words = t(key);
  return `${words === key ? name : words}: ${numberWords(count)}`;
}

function LastRun({ job: { lastRunOn, lastResult, lastCounts, lastFault }, now }: { job: CronJob; now: number }) {
  const { t } = useTranslation('admin');
  if (lastRunOn === null) return t('jobs.neverLast');
  const failed = lastResult === 'failed';
  const ResultIcon = failed ? IconAlertCircle : IconCircleCheck;
  const done = Object.entries(lastCounts).filter(([, count]) => count > 0);
  const counts = done.length > 0 || failed ? done.map((count) => countWords(t, count)) : [t('jobs.nothing')];
  return (
    <>
      {instantWords(lastRunOn)} <span className={styles.muted}>{distanceFrom(now, lastRunOn)}</span>
      {lastResult === null ? null : (
        <span className={styles.result} data-failed={failed || undefined}>
          <ResultIcon size={18} stroke={1.75} aria-hidden />
          <span>
            {failed ? t('jobs.failed') : t('jobs.done')}
            {failed && lastFault ? <code>{lastFault}</code> : null}
            {counts.length > 0 ? <span className={styles.muted}> · {counts.join(' · ')}</span> : null}
          </span>
        </span>
      )}
    </>
  );
}

const expression = optionalLine(CRON_SCHEDULE_MAX);

interface ScheduleProps {
  job: CronJob;
  busy: boolean;
  /** The server could not read the saved expression. */
  fault: string | null;
  onTyped(): void;
  onSave(schedule: string, onSaved: () => void): void;
}

/** When the job runs, in words and as its expression, which can be changed. */
function Schedule({ job, busy, fault, onTyped, onSave }: ScheduleProps) {
  const { t } = useTranslation('admin');
  const [typed, setTyped] = useState<string | null>(null);
  const [ownFault, setOwnFault] = useState<string | null>(null);
  const change = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const back = useRef(false);
  const editing = typed !== null;
  // The focus follows: into the field, and back to the button that opened it.
  useEffect(() => {
    if (editing) field.current?.focus();
    else if (back.current) change.current?.focus();
    back.current = editing;
  }, [editing]);
  useEffect(() => {
    if (fault !== null) field.current?.focus();
  }, [fault]);

  const close = () => {
    setTyped(null);
    setOwnFault(null);
    onTyped();
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (typed === null || busy) return;
    const code = typed.trim() === '' ? 'required' : formFault(expression, typed);
    setOwnFault(code === null ? null : faultText(sayProblem, 'schedule', code));
    // Closes without discarding the message of the save.
    if (code === null) onSave(typed.trim(), () => setTyped(null));
    else field.current?.focus();
  };

  if (typed === null)
    return (
      <span className={styles.schedule}>
        <span>
          {scheduleWords(t, job.schedule, currentLanguage()) ?? t('schedule.own')} <code>{job.schedule}</code>
          <span className={styles.zone}>{t('jobs.zone', { zone: job.timeZone.replaceAll('_', ' ') })}</span>
        </span>
        <Button ref={change} size="sm" variant="subtle" onClick={() => setTyped(job.schedule)}>
          {t('jobs.change')}
        </Button>
      </span>
    );
  return (
    <form className={styles.form} noValidate onSubmit={save}>
      <TextInput
        ref={field}
        aria-label={t('jobs.expression')}
        description={t('jobs.expressionHint')}
        // Text that is slightly too long is reported, not cut off.
        maxLength={CRON_SCHEDULE_MAX * 2}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        error={ownFault ?? fault}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setOwnFault(null);
          onTyped();
        }}
        onKeyDown={({ key }) => {
          if (key === 'Escape') close();
        }}
      />
      <span className={styles.formActs}>
        <Button size="sm" variant="default" disabled={busy} onClick={close}>
          {t('jobs.leave')}
        </Button>
        <Button size="sm" type="submit" loading={busy}>
          {t('jobs.save')}
        </Button>
      </span>
    </form>
  );
}
