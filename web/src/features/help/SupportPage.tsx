/** Messages to the operator (/app/support, docs/product.md#11.39). The answer is sent by email. */
import {
  FEEDBACK_MAX,
  feedbackText,
  sendFeedbackEmail,
  SUPPORT_TOPICS,
  type SupportTopic,
} from '@fieldroom/contract/usage';
import { HELP_PAGE } from '@fieldroom/contract/pages';
import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../platform/api/index.ts';
import { formFault } from '../../platform/forms/formFault.ts';
import { sayProblem } from '../../platform/i18n/app.ts';
import { hintWithLeft } from '../../platform/i18n/charactersLeft.ts';
import { faultText, problemText } from '../../platform/i18n/faults.ts';
import { storage, tabStore, UNSENT_SUPPORT, UNSENT_SUPPORT_TOPIC } from '../../platform/storage.ts';
import { Callout } from '../../ui/states/Callout.tsx';
import { RadioList } from '../../ui/controls/choices/RadioList.tsx';
import styles from './SupportPage.module.css';

/** The form and, below it, the way to the help. After sending, the form can be opened again for another message. */
export function SupportPage() {
  const { t } = useTranslation('help');
  // A new form for each message.
  const [round, setRound] = useState(0);
  return (
    <div className={styles.support}>
      <p className={styles.lead}>{t('support.lead')}</p>
      <SupportForm key={round} another={round > 0} onAnother={() => setRound(round + 1)} />
      <p className={styles.before}>
        {t('support.before')} <Link to={HELP_PAGE}>{t('support.help')}</Link>
      </p>
    </div>
  );
}

function SupportForm({ another, onAnother }: { another: boolean; onAnother(): void }) {
  const { t } = useTranslation('help');
  // Topic and text stay while somebody checks whether the help has the answer.
  const [topic, setTopic] = useState<SupportTopic>(() => {
    const kept = tabStore.get(UNSENT_SUPPORT_TOPIC);
    return SUPPORT_TOPICS.find((one) => one === kept) ?? 'question';
  });
  const [text, setText] = useState(() => tabStore.get(UNSENT_SUPPORT) ?? '');
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const user = storage.get('user');
  const sending = useMutation({
    // The server uses address and name of the sign-in; the call has them for other programs.
    mutationFn: () =>
      api.call(sendFeedbackEmail, {
        body: { email: user?.email ?? '', username: `${user?.firstName} ${user?.lastName}`.trim(), text, topic },
      }),
    onSuccess: () => {
      tabStore.remove(UNSENT_SUPPORT);
      tabStore.remove(UNSENT_SUPPORT_TOPIC);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = formFault(feedbackText, text);
    setFault(found);
    if (found !== null) field.current?.focus();
    else if (!sending.isPending) sending.mutate();
  };
  // The button that had the focus is gone with the form.
  const sent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (sending.isSuccess) sent.current?.focus();
  }, [sending.isSuccess]);
  if (sending.isSuccess)
    return (
      <div ref={sent} tabIndex={-1} className={styles.form} role="status">
        <Callout tone="done">{t('support.sent', { email: user?.email ?? '' })}</Callout>
        <Button variant="default" onClick={onAnother}>
          {t('support.another')}
        </Button>
      </div>
    );
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <RadioList<SupportTopic>
        question={t('support.topic')}
        answers={SUPPORT_TOPICS.map((value) => ({ value, words: t(`support.topics.${value}`) }))}
        value={topic}
        onChange={(chosen) => {
          setTopic(chosen);
          tabStore.set(UNSENT_SUPPORT_TOPIC, chosen);
        }}
      />
      <Textarea
        ref={field}
        autoFocus={another}
        label={t('support.label')}
        description={hintWithLeft(sayProblem, t('support.hint'), text, FEEDBACK_MAX)}
        required
        autosize
        minRows={6}
        maxRows={20}
        maxLength={FEEDBACK_MAX}
        readOnly={sending.isPending}
        value={text}
        error={fault === 'required' ? t('support.empty') : fault && faultText(sayProblem, 'text', fault)}
        onChange={(event) => {
          setText(event.currentTarget.value);
          tabStore.set(UNSENT_SUPPORT, event.currentTarget.value);
          setFault(null);
        }}
      />
      {sending.error ? (
        <Callout tone="fault" role="alert">
          {problemText(sayProblem, sending.error)}
        </Callout>
      ) : null}
      <Button type="submit" loading={sending.isPending}>
        {t('support.send')}
      </Button>
    </form>
  );
}
