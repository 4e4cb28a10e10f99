import type { Dictionary } from '../dictionary';

export const remoteErrors: Dictionary['remoteErrors'] = {
  credentials: 'Das System hat die Zugangsdaten abgewiesen. Tragen Sie im Konnektor neue ein.',
  forbidden: 'Dem Konto des Konnektors fehlt in dem System eine Berechtigung. Erteilen Sie sie dort.',
  missing: 'Unter dieser Adresse hat das System nichts. Prüfen Sie Adresse, Projekt oder Tabelle im Konnektor.',
  refused: 'Das System hat den Inhalt abgewiesen. Der ursprüngliche Fehler nennt vielleicht den Grund.',
  busy: 'Das System nimmt zurzeit keine weiteren Aufrufe an. Versuchen Sie es später erneut.',
  broken: 'Das System hat selbst eine Störung. Versuchen Sie es später erneut.',
  timeout:
    'Das System hat nicht rechtzeitig geantwortet. Prüfen Sie, ob es läuft und keine Firewall die Aufrufe aufhält.',
  name: 'Der Hostname des Systems ist unbekannt. Prüfen Sie die Adresse im Konnektor.',
  certificate:
    'Dem Zertifikat des Systems wird nicht vertraut. Installieren Sie dessen Zertifizierungsstelle auf dem Server des Dienstes.',
  unreachable: 'Das System ist nicht erreichbar. Prüfen Sie, ob es läuft, und die Adresse im Konnektor.',
  blocked:
    'Der Dienst darf diese Adresse nicht aufrufen. Ändern Sie die Adresse, oder bitten Sie den Betreiber, sie zu erlauben.',
  paused: 'Aufrufe pausieren, weil das System mehrfach versagt hat. Sie gehen von selbst weiter.',
  unreadable: 'Die Antwort stammt nicht vom erwarteten System. Prüfen Sie Typ und Adresse des Konnektors.',
};
