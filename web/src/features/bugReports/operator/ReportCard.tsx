/** One bug report: what was written, where it happened, its picture, and its state. */
import {
  BUG_REPORT_STATES,
  type BugReport,
  type BugReportState,
  bugReportPicture,
  setBugReportState,
} from '@fieldroom/contract/bugReports';
import { Button, Select, Skeleton } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useObjectUrl } from '../../../ui/useObjectUrl.ts';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { currentLanguage, sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { dateFormat } from '../../../platform/i18n/formats.ts';
import { Callout } from '../../../ui/states/Callout.tsx';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import styles from './BugReportsPage.module.css';

export const REPORTS_KEY = ['bugReports'] as const;

/** Day and time by this browser's clock. */
const instantWords = (instant: string): string =>
  dateFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant));

/** Changes the state at once and fetches the lists again. The picture is fetched when it is opened, and not cached. */
export function ReportCard({ report }: { report: BugReport }) {
  const { t } = useTranslation('bugReports');
  const headId = useId();
  const queries = useQueryClient();
  const [showing, setShowing] = useState(false);
  const saving = useMutation({
    mutationFn: (state: BugReportState) =>
      api.call(setBugReportState, { params: { reportId: report.id }, body: { state } }),
    onSettled: () => queries.invalidateQueries({ queryKey: REPORTS_KEY }),
  });
  const facts = [
    [t('operator.reporter'), report.email ?? t(`operator.reporters.${report.reporter}`)],
    [t('operator.pagePath'), report.page],
    [t('operator.browser'), [report.browser, report.os].filter(Boolean).join(', ')],
    [t('operator.view'), [report.viewSize, report.screenSize].filter(Boolean).join(' / ')],
    [t('operator.version'), report.version],
    [t('operator.look'), [report.language, report.theme].filter(Boolean).join(', ')],
  ].filter(([, fact]) => fact);
  return (
    <section className={styles.card} aria-labelledby={headId}>
      <div className={styles.head}>
        <h2 id={headId}>
          <span className={styles.priority} data-priority={report.priority}>
            {t(`priorities.${report.priority}`)}
          </span>
          <span>
            {t('operator.number', { id: report.id })}{' '}
            <time dateTime={report.createdOn}>{instantWords(report.createdOn)}</time>
          </span>
        </h2>
        <Select
          className={styles.state}
          aria-label={t('operator.stateOf', { id: report.id })}
          data={BUG_REPORT_STATES.map((value) => ({ value, label: t(`operator.states.${value}`) }))}
          value={saving.isPending ? saving.variables : report.state}
          disabled={saving.isPending}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          onChange={(value) => {
            const state = BUG_REPORT_STATES.find((known) => known === value);
            if (state && state !== report.state) saving.mutate(state);
          }}
        />
      </div>
      <p className={styles.comment}>{report.comment}</p>
      <dl className={styles.facts}>
        {facts.map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      {saving.error ? (
        <Callout tone="fault" role="alert">
          {t('operator.stateKept')} {problemText(sayProblem, saving.error)}
        </Callout>
      ) : null}
      {report.hasPicture ? (
        <Button
          variant="default"
          className={styles.show ?? ''}
          leftSection={<IconPhoto size={20} stroke={1.75} aria-hidden />}
          onClick={() => setShowing(true)}
        >
          {t('operator.show')}
        </Button>
      ) : null}
      <Dialog
        opened={showing}
        onClose={() => setShowing(false)}
        size={1000}
        title={t('operator.pictureOf', { id: report.id })}
        close={t('close')}
        closeOnClickOutside
      >
        <ReportPicture id={report.id} />
      </Dialog>
    </section>
  );
}

/** The picture, fetched with the sign-in, which an `<img>` cannot send. */
function ReportPicture({ id }: { id: number }) {
  const { t } = useTranslation('bugReports');
  const { t: tc } = useTranslation('common');
  const asked = useQuery({
    queryKey: ['bugReportPicture', id],
    queryFn: ({ signal }) => api.call(bugReportPicture, { params: { reportId: id }, signal }),
    gcTime: 0,
  });
  const address = useObjectUrl(asked.data);
  if (asked.error)
    return (
      <LoadFault
        text={problemText(sayProblem, asked.error)}
        retry={tc('tryAgain')}
        onRetry={() => void asked.refetch()}
      />
    );
  return (
    // The keyboard scrolls a long page.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must be reached by the keyboard
    <div className={styles.picture} role="group" aria-label={t('operator.pictureOf', { id })} tabIndex={0}>
      {address === null ? (
        <div role="status" aria-label={tc('loading')}>
          <Skeleton height={320} radius={12} />
        </div>
      ) : (
        <img src={address} alt={t('operator.pictureOf', { id })} />
      )}
    </div>
  );
}
