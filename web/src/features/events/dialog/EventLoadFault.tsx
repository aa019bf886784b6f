import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Callout } from '../../../ui/states/Callout.tsx';

export interface EventLoadFaultProps {
  fault: unknown;
  onRetry(): void;
}

/** Says on a page why something could not be fetched, and offers to try again. */
export function EventLoadFault({ fault, onRetry }: EventLoadFaultProps) {
  const { t } = useTranslation('common');
  return (
    <Callout tone="fault" role="alert">
      {problemText(sayProblem, fault)}{' '}
      <Button size="sm" variant="subtle" onClick={onRetry}>
        {t('tryAgain')}
      </Button>
    </Callout>
  );
}

/** The same as the whole content of a dialog. */
export function DialogLoadFault({ fault, onRetry }: EventLoadFaultProps) {
  const { t } = useTranslation('common');
  return (
    <>
      <Callout tone="fault" role="alert">
        {problemText(sayProblem, fault)}
      </Callout>
      <div className={dialog.acts}>
        <Button variant="default" onClick={onRetry}>
          {t('tryAgain')}
        </Button>
      </div>
    </>
  );
}
