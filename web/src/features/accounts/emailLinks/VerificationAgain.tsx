/** Sends the email to verify an address again (docs/product.md#3.15). */
import { sendVerification } from '@fieldroom/contract/accounts';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem, api } from '../../../platform/api/index.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { askWithPassword } from '../askWithPassword.ts';

type State = { kind: 'idle' | 'busy' | 'sent' } | { kind: 'failed'; text: string };

export interface VerificationAgainProps {
  email: string;
  password: string;
}

/**
 * A button for people who have just typed the right password and still have to verify their address. Shown after
 * registering and at the sign-in. Unmounting it stops a pending call.
 */
export function VerificationAgain({ email, password }: VerificationAgainProps) {
  const { t } = useTranslation('accounts');
  const [state, setState] = useState<State>({ kind: 'idle' });
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    leaving.current = stop;
    return () => stop.abort();
  }, []);

  const send = async () => {
    const { signal } = leaving.current ?? new AbortController();
    setState({ kind: 'busy' });
    try {
      await askWithPassword({ email, password }, (body) => api.call(sendVerification, { body }), { signal });
      setState({ kind: 'sent' });
    } catch (fault) {
      if (signal.aborted) return;
      // The address already had an account with another password: its owner reads in the email what to do.
      const isOlder = fault instanceof ApiProblem && fault.code === 'invalid_credentials';
      setState({ kind: 'failed', text: isOlder ? t('again.older') : problemText(sayProblem, fault) });
    }
  };
  return (
    <>
      <Button variant="default" loading={state.kind === 'busy'} onClick={() => void send()}>
        {t('again.send')}
      </Button>
      <p role="status">{state.kind === 'sent' ? t('again.sent', { email }) : state.kind === 'failed' && state.text}</p>
    </>
  );
}
