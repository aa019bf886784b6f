/** Saves the field under a name. An existing name is replaced only after a second press. */
import { CONSTELLATION_NAME_MAX, type Constellation } from '@fieldroom/contract/constellations';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameFault, useSaving } from './constellationQueries.ts';
import styles from './Constellations.module.css';

interface SaveFormProps {
  /** The server has not confirmed the present field yet. */
  waiting: boolean;
  /** There is nothing to save. */
  nothing: boolean;
  onTyped(): void;
  onSaved(saved: Constellation): void;
}

/** At the top of the dialog of constellations. Typing another name withdraws the offer to replace. */
export function SaveForm({ waiting, nothing, onTyped, onSaved }: SaveFormProps) {
  const { t } = useTranslation('constellations');
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [missing, setMissing] = useState<string | null>(null);
  const saving = useSaving((saved) => {
    setName('');
    input.current?.focus();
    onSaved(saved);
  });
  const taken = saving.code === 'constellation_name_taken';
  const off = waiting || nothing;
  const save = (replace: boolean) => {
    const fault = nameFault(name);
    setMissing(fault);
    if (fault === null && !off) saving.run({ name, replace });
    else input.current?.focus();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save(false);
  };
  return (
    <form className={styles.save} onSubmit={onSubmit} noValidate>
      <TextInput
        ref={input}
        label={t('name')}
        description={nothing ? t('nothing') : waiting ? t('waiting') : undefined}
        maxLength={CONSTELLATION_NAME_MAX}
        autoComplete="off"
        value={name}
        error={missing ?? saving.fault}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setMissing(null);
          saving.reset();
          onTyped();
        }}
      />
      {taken ? (
        <Button variant="default" loading={saving.isPending} disabled={off} onClick={() => save(true)}>
          {t('replace')}
        </Button>
      ) : (
        <Button type="submit" loading={saving.isPending} disabled={off}>
          {t('save')}
        </Button>
      )}
    </form>
  );
}
