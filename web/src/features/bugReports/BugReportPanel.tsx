/** The panel below the smiley: priority, comment, picture of the page (docs/product.md#12.26). */
import { BUG_COMMENT_MAX, BUG_PANEL, BUG_PRIORITIES } from '@fieldroom/contract/bugReports';
import { Button, Skeleton } from '@mantine/core';
import { IconCheck, IconRefresh, IconTrash, IconX } from '@tabler/icons-react';
import { type CSSProperties, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../platform/i18n/app.ts';
import { charactersLeft } from '../../platform/i18n/charactersLeft.ts';
import { faultText, problemText } from '../../platform/i18n/faults.ts';
import { useBackCloses } from '../../ui/dialogs/backCloses.ts';
import { Callout } from '../../ui/states/Callout.tsx';
import { QuietButton } from '../../ui/controls/QuietButton.tsx';
import { type BugReportForm, useBugReport } from './useBugReport.ts';
import styles from './BugReportPanel.module.css';

export interface BugReportPanelProps {
  /** Bottom and right edge of its opener, in px of the window. */
  below: { bottom: number; right: number };
  onClose(): void;
}

/**
 * Takes the picture of the page when it is mounted. Keys in it do not affect the field, and Escape closes it even after
 * the focus was lost (docs/product.md#12.29).
 */
export function BugReportPanel({ below, onClose }: BugReportPanelProps) {
  const { t } = useTranslation('bugReports');
  const report = useBugReport(onClose);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const focusEvents = useEscapeWithoutFocus(onClose);
  useBackCloses(true, onClose);
  const size = {
    '--bug-top': `${Math.round(below.bottom) + 8}px`,
    '--bug-right': `${Math.max(8, Math.round(window.innerWidth - below.right))}px`,
    '--bug-width': `${BUG_PANEL.width}px`,
    '--bug-height': `${report.picture.is === 'there' ? BUG_PANEL.heightWithPicture : BUG_PANEL.height}px`,
    '--bug-preview': `${BUG_PANEL.previewWidth}px`,
  } as CSSProperties;
  return createPortal(
    <div
      ref={panel}
      data-bug-report
      className={styles.panel}
      style={size}
      role="dialog"
      aria-label={t('title')}
      tabIndex={-1}
      {...focusEvents}
      onKeyDown={(event) => {
        // Keys belong to the panel; the room has its own shortcuts.
        event.stopPropagation();
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className={styles.head}>
        <h2>{t('title')}</h2>
        <QuietButton label={t('close')} onClick={onClose}>
          <IconX size={20} stroke={1.75} aria-hidden />
        </QuietButton>
      </div>
      {report.state === 'sent' ? <Thanks onClose={onClose} /> : <Form report={report} />}
    </div>,
    document.body,
  );
}

/**
 * Handles Escape even if the focused element in the panel is gone, as after sending. Returns handlers for the panel's
 * focus.
 */
function useEscapeWithoutFocus(onClose: () => void) {
  const had = useRef(true);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const focus = document.activeElement;
      const lost = focus === null || focus === document.body;
      if (event.key !== 'Escape' || !had.current || !lost) return;
      // The room must not receive it: a dragged figure would return.
      event.stopPropagation();
      close.current();
    };
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
  const tell = (inside: boolean) => () => {
    had.current = inside;
  };
  return { onFocus: tell(true), onBlur: tell(false) };
}

function Thanks({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('bugReports');
  return (
    <div className={styles.thanks} role="status">
      <IconCheck size={32} stroke={1.75} aria-hidden />
      <strong>{t('ERROR_FORM.SUCCESS_MSG_TOP')}</strong>
      <p>{t('ERROR_FORM.SUCCESS_MSG_BTM')}</p>
      <Button variant="default" onClick={onClose}>
        {t('close')}
      </Button>
    </div>
  );
}

function Form({ report }: { report: BugReportForm }) {
  const { t } = useTranslation('bugReports');
  const id = useId();
  const { faults, comment, state, fault } = report;
  const commentField = useRef<HTMLTextAreaElement>(null);
  const left = charactersLeft(sayProblem, comment, BUG_COMMENT_MAX);
  const describedBy = [faults.comment === null ? '' : `${id}-fault`, left === '' ? '' : `${id}-left`].filter(Boolean);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        report.submit();
      }}
    >
      <div className={styles.fields}>
        <Priorities report={report} />
        <label className={styles.label} htmlFor={id}>
          {t('comment')}
        </label>
        <textarea
          ref={commentField}
          id={id}
          className={styles.comment}
          rows={3}
          maxLength={BUG_COMMENT_MAX}
          value={comment}
          readOnly={state === 'sending'}
          aria-required
          aria-invalid={faults.comment !== null}
          aria-describedby={describedBy.join(' ') || undefined}
          onChange={(event) => report.setComment(event.currentTarget.value)}
        />
        {faults.comment === null ? null : (
          <p id={`${id}-fault`} className={styles.fault} role="alert">
            {faults.comment === 'required'
              ? t('ERROR_FORM.COMMENT_REQ')
              : faultText(sayProblem, 'comment', faults.comment)}
          </p>
        )}
        {left === '' ? null : (
          <p id={`${id}-left`} className={styles.left}>
            {left}
          </p>
        )}
        <PagePicture report={report} />
        {fault === null ? null : (
          <Callout tone="fault" role="alert">
            {t('failed')} {problemText(sayProblem, fault)}
          </Callout>
        )}
      </div>
      <Button type="submit" fullWidth disabled={!report.maySubmit && state !== 'sending'} loading={state === 'sending'}>
        {t('send')}
      </Button>
    </form>
  );
}

function Priorities({ report: { priority, setPriority, faults } }: { report: BugReportForm }) {
  const { t } = useTranslation('bugReports');
  const id = useId();
  return (
    <fieldset className={styles.priorities} aria-describedby={faults.priority ? `${id}-fault` : undefined}>
      <legend>{t('priority')}</legend>
      <div>
        {BUG_PRIORITIES.map((each) => (
          <label key={each} data-priority={each}>
            <input type="radio" name={id} checked={priority === each} onChange={() => setPriority(each)} />
            <span>{t(`priorities.${each}`)}</span>
          </label>
        ))}
      </div>
      {faults.priority ? (
        <p id={`${id}-fault`} className={styles.fault} role="alert">
          {t('ERROR_FORM.PRIORITY_REQ')}
        </p>
      ) : null}
    </fieldset>
  );
}

function PagePicture({ report: { picture, take, remove } }: { report: BugReportForm }) {
  const { t } = useTranslation('bugReports');
  if (picture.is === 'taking')
    return (
      <div role="status" aria-busy="true" aria-label={t('picture.taking')}>
        <Skeleton height={44} radius={12} />
      </div>
    );
  return (
    <div className={styles.picture}>
      {picture.is === 'there' ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls a long page
        <div className={styles.preview} role="group" aria-label={t('picture.alt')} tabIndex={0}>
          <img src={picture.address} alt={t('picture.alt')} />
        </div>
      ) : (
        <p role="status">{t(picture.is === 'failed' ? 'picture.failed' : 'picture.none')}</p>
      )}
      {picture.is === 'there' ? <p>{t('picture.masked')}</p> : null}
      <div className={styles.acts}>
        <Button size="compact-sm" variant="subtle" leftSection={<IconRefresh size={18} aria-hidden />} onClick={take}>
          {t('picture.again')}
        </Button>
        {picture.is === 'there' ? (
          <Button size="compact-sm" variant="subtle" leftSection={<IconTrash size={18} aria-hidden />} onClick={remove}>
            {t('picture.delete')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
