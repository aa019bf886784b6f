/** Where somebody is signed in, and how to sign out elsewhere. */
import { Button, Skeleton } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../../platform/i18n/app.ts';
import { distanceWords } from '../../../platform/i18n/distances.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { dateFormat } from '../../../platform/i18n/formats.ts';
import { useProductClock } from '../../../platform/time/useProductClock.ts';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';
import { Done, focusTitle, Problem, Section } from '../parts/Section.tsx';
import { type Device, endDevice, endOtherDevices, profileQueries } from '../profileQueries.ts';
import styles from '../Profile.module.css';

const ID = 'my-devices';

/** The section "Devices" of the profile (docs/product.md#3.26). The present device cannot be signed out here. */
export function DevicesSection() {
  const { t } = useTranslation('profile');
  const { t: tc } = useTranslation('common');
  const devices = useQuery(profileQueries.devices());
  return (
    <Section id={ID} title={t('devices.title')} lead={t('devices.lead')}>
      {devices.data ? <Devices devices={devices.data} /> : null}
      {devices.error && !devices.data ? (
        <LoadFault
          text={`${t('devices.failed')} ${problemText(sayProblem, devices.error)}`}
          retry={tc('tryAgain')}
          onRetry={() => void devices.refetch()}
        />
      ) : null}
      {devices.isPending ? <Skeleton height={64} radius={12} aria-hidden /> : null}
    </Section>
  );
}

/** What was signed out: one device by its name, or how many. */
type Ended = { name: string } | { count: number };

function Devices({ devices }: { devices: readonly Device[] }) {
  const { t } = useTranslation('profile');
  const queries = useQueryClient();
  const ending = useMutation({
    async mutationFn(device: Device | null): Promise<Ended> {
      if (device) {
        await endDevice(device.id);
        return { name: nameOf(device) };
      }
      const count = devices.filter(({ current }) => !current).length;
      await endOtherDevices();
      return { count };
    },
    // The button disappears with its device.
    onSuccess: () => focusTitle(ID),
    onSettled: () => queries.invalidateQueries({ queryKey: profileQueries.devices().queryKey }),
  });
  const nameOf = ({ browser, system }: Device) =>
    browser && system ? t('devices.name', { browser, system }) : (browser ?? system ?? t('devices.unknown'));
  const others = devices.some(({ current }) => !current);
  const saidOf = (ended: Ended) =>
    'name' in ended ? t('devices.ended', { name: ended.name }) : t('devices.othersEnded', { count: ended.count });
  const only = others ? null : t('devices.only');
  const said = ending.data ? saidOf(ending.data) : only;
  return (
    <>
      <ul className={styles.rows}>
        {devices.map((device) => (
          <DeviceRow
            key={device.id}
            device={device}
            name={nameOf(device)}
            busy={ending.isPending}
            onEnd={() => ending.mutate(device)}
          />
        ))}
      </ul>
      <Problem fault={ending.error} />
      <div className={styles.foot}>
        <Done>{said}</Done>
        {others ? (
          <Button variant="default" disabled={ending.isPending} onClick={() => ending.mutate(null)}>
            {t('devices.others')}
          </Button>
        ) : null}
      </div>
    </>
  );
}

interface DeviceRowProps {
  device: Device;
  name: string;
  busy: boolean;
  onEnd(): void;
}

const PHONES = /android|ios|iphone|ipad/i;

function DeviceRow({ device: { current, system, lastUsedAt, signedInAt }, name, busy, onEnd }: DeviceRowProps) {
  const { t } = useTranslation('profile');
  const now = useProductClock();
  const language = currentLanguage();
  const present = now();
  // Never in the future: this browser's clock may be slightly behind.
  const lastUsed = distanceWords(language, Math.min(Date.parse(lastUsedAt), present), present);
  const Icon = system && PHONES.test(system) ? IconDeviceMobile : IconDeviceDesktop;
  const since = dateFormat(language, { dateStyle: 'long' }).format(new Date(signedInAt));
  return (
    <li>
      <Icon size={24} stroke={1.75} aria-hidden />
      <div>
        <p className={styles.rowName}>
          {name} {current ? <span className={styles.chip}>{t('devices.this')}</span> : null}
        </p>
        <p className={styles.hint}>
          {current ? null : `${t('devices.seen', { when: lastUsed })} · `}
          {t('devices.since', { date: since })}
        </p>
      </div>
      {current ? null : (
        <Button variant="default" size="sm" disabled={busy} onClick={onEnd}>
          {t('devices.end')}
          <span className="fr-hidden">: {name}</span>
        </Button>
      )}
    </li>
  );
}
