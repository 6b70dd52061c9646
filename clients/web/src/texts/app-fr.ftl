# Les mots de l’application autour des composants.

# === Everywhere ===

app-skip = Aller au contenu
app-menu = Menu
app-nav-start = Jouer
app-nav-open = Places libres
app-nav-matches = Mes parties
app-nav-history = Historique
app-nav-standings = Classement
app-nav-operators = Exploitation
app-nav-docs = Docs
app-loading = Chargement…
app-offline = Le service est injoignable. Il redémarre peut-être ; vos parties sont en sécurité.
app-retry = Réessayer
app-more = Afficher plus
app-close = Terminé
app-cancel = Annuler
app-copy = Copier
app-copied = Copié.
app-copy-failed = La copie a échoué. Sélectionnez le lien et copiez-le à la main.
app-watch-link = Lien pour regarder
app-copy-link = Copier le lien
app-watch-link-help = Qui l’a voit cette partie comme les spectateurs, et son aperçu montre la table.
app-any = Tous
app-filter = Rechercher
app-filters-clear = Effacer les filtres
app-not-found = Cette page n’existe pas
app-to-start = Choisir un jeu
app-to-match = Aller à la partie
app-rules = Règles
app-you = Vous
app-seat-open = Libre
app-bot = Bot ({ $level })
app-bot-named = { $name } (bot, { $level })

# === Settings ===

app-settings = Réglages
app-player = Joueur
app-player-help = Vous jouez sous ce nom jusqu’à la fermeture de l’onglet.
app-language = Langue
app-scheme = Apparence
app-scheme-system = Comme le système
app-scheme-light = Claire
app-scheme-dark = Sombre
app-sign-out = Se déconnecter

# === Signing in ===

app-sign-in = Se connecter
app-signing-in = Connexion…
app-sign-in-how = Demandez un lien au service, sur la machine où il tourne, et ouvrez-le dans ce navigateur :
app-sign-in-guests = On vous a invité à une partie ? Ouvrez le lien que vous avez reçu.
app-sign-in-by-hand = Se connecter avec un jeton
app-sign-in-token = Jeton ou clé d’API
app-sign-in-token-help = Il est gardé jusqu’à la fermeture de l’onglet, et n’est envoyé qu’à ce service.
app-sign-in-used = Ce lien a déjà servi, ou il est trop ancien. Demandez-en un nouveau.
app-session-ended = Votre session est terminée. Connectez-vous de nouveau pour continuer.
app-link-ended = Le lien par lequel vous êtes venu n’est plus valable. Demandez-en un nouveau.

# === Start ===

app-start-title = À quoi jouons-nous ?
app-start-lead = Choisissez un jeu, et installez-vous tout de suite face à des bots.
app-your-turn = C’est votre tour
app-seats = { $seats } joueurs
app-players = Joueurs
app-bots = Bots
app-play = Jouer
app-play-last = Rejouer à { $game }
app-play-first = Jouer à { $game }
app-play-how = { $seats } joueurs, bots : { $level }
app-how = Comment jouer
app-how-game = Comment jouer à { $game }
app-starting = On dresse la table…
app-with-people = À plusieurs

# === Matches ===

app-open-title = Jouer à plusieurs
app-open-lead = Rejoignez d’autres joueurs en tant que { $player }, ou ouvrez votre propre partie.
app-matches-lead = Vous jouez en tant que { $player }. Les parties qui vous attendent viennent en premier.
app-matches-empty = { $player } n’a pas encore de partie.
app-history-empty = Aucune partie ne correspond.
app-game = Jeu
app-all-games = Tous les jeux
app-state = État
app-state-open = En attente de joueurs
app-state-running = En cours
app-state-ended = Terminée
app-state-paused = Suspendue
app-state-abandoned = Terminée sans résultat
app-state-unreadable = Illisible
app-state-your-turn = À vous de jouer
app-state-at-turn = À son tour
app-state-won = Victoire
app-state-shared = Victoire partagée
app-state-lost = Défaite
app-won = Gagnant
app-opponent = Adversaire
app-outcome = Issue
app-outcome-of = Une issue est celle de quelqu’un : indiquez aussi un joueur.
app-from = Créée à partir du
app-until = Créée jusqu’au
app-length-min = Au moins ce nombre d’entrées
app-length-max = Au plus ce nombre d’entrées

# === A match ===

app-match = Partie
app-match-id = Identifiant
app-about-match = À propos de cette partie
app-created = Créée
app-entries = Entrées
app-see-entries = Voir les entrées
app-chairs = Autour de la table
app-chair = Chaise { $number }
app-chair-open = Libre
app-chair-invited = Attend un invité
app-chair-taken = Occupée
app-chair-here = Présent
app-chair-away = Absent
app-chair-bot = Bot
app-chair-yours = Pour vous
app-chairs-taken = { $taken } chaises sur { $chairs } sont occupées.
app-chair-to-bot = La donner à un bot
app-chair-to-bot-of = La donner à un bot : chaise { $number }
app-chair-free = Libérer la chaise
app-chair-free-of = Libérer la chaise : { $player }
app-start-with-bots = { $count ->
    [one] Commencer, un bot prend la chaise libre
   *[other] Commencer, des bots prennent les { $count } chaises libres
  }
app-waiting-lobby = La partie commence dès que toutes les chaises sont prises. Tout le monde la trouve parmi les places libres.
app-waiting-link = La partie commence dès que toutes les chaises sont prises.
app-sit = M’asseoir ici
app-invite = Inviter par un lien
app-invite-how = Quiconque ouvre le lien voit cette partie, donne un nom et prend une chaise libre. Envoyez-le à ceux avec qui vous voulez jouer.
app-invite-link = Lien d’invitation
app-invite-code = Le lien sous forme de code à scanner
app-invite-scan = Ou faites-le scanner par un téléphone.
app-invite-until = Le lien vaut jusqu’à ce que les chaises soient prises, et au plus tard jusqu’au
app-invite-anew = Nouveau lien
app-invite-renewed = Il y a un nouveau lien. L’ancien ne laisse plus entrer personne.
app-share = Partager
app-invited = On vous invite à une partie de
app-invited-by = { $player } vous invite à une partie de
app-invited-full = Toutes les chaises sont prises
app-invited-full-help = La partie a commencé, ou va commencer. Demandez une autre invitation.
app-your-name = Votre nom
app-your-name-help = Les autres le voient. Pas besoin de compte ; ce navigateur retient le nom.
app-take-seat = Prendre place
app-clock = Pendule
app-clock-other = Avec pendule
app-presence-here = { $player } est là
app-presence-away = { $player } n’est pas là
app-spectators = { $count ->
    [one] Une personne regarde
   *[other] { $count } personnes regardent
  }
app-rematch-offer = Proposer une autre partie
app-rematch-offered = { $players } propose une autre partie.
app-rematch-waiting = On attend l’accord pour une autre partie : { $players }.
app-rematch-agreed = Tout le monde est d’accord. On distribue la partie suivante.
app-rematch-declined = Pas d’autre partie pour { $players }.
app-rematch-accept = Accepter
app-rematch-decline = Refuser
app-rematch-withdraw = Retirer la proposition
app-make-link = Créer un lien
app-link-of = Lien pour { $player }
app-seat-links = Liens vers les places
app-seat-links-help = Quiconque ouvre un lien joue à cette place, pendant un jour. Ne l’envoyez qu’à ce joueur.
app-leave = Quitter
app-delete-match = Supprimer la partie
app-delete-match-sure = Supprimer cette partie ? Elle n’a pas commencé, et il n’en restera rien.
app-next-match = Aller à la partie suivante
app-play-again = Rejouer
app-record = Enregistrer le compte rendu
app-complaint = Le service se contredit au sujet de cette partie.
app-complaint-help = Il a signé des déclarations qui ne peuvent pas être vraies toutes les deux. Elles le prouvent à n’importe qui : enregistrez-les et montrez-les.
app-complaint-save = Enregistrer les déclarations signées
app-verify = Était-ce loyal ?
app-verify-how = Le service s’est engagé sur sa graine avant la première carte, et la révèle après la dernière. Avec le compte rendu, cet appareil recalcule lui-même ce qui s’est passé, ne croit rien sur parole et dit ce qu’il n’a pas pu vérifier.
app-verify-here = Vérifier cette partie sur cet appareil
app-verifying = Vérification…
app-verify-details = Graine et engagement
app-verify-more = Comment vérifier une partie
app-verify-file = Vérifier une partie enregistrée
app-seed = Graine
app-seed-commitment = Son empreinte BLAKE3, publiée à l’avance
app-replay = Rediffusion
app-review = Revoir la partie
app-replay-of = Rediffusion : { $game }
app-replay-not-started = La partie n’a pas commencé. Il n’y a encore rien à revoir.

# === Standings ===

app-standings-lead = Tous ceux qui ont terminé une telle partie, par cote. Les bots n’en ont pas. Un point d’interrogation signale trop peu de résultats.
app-pool-seats = Places
app-pool-clocks = Pendules
app-clocks-untimed = Sans pendule
app-clocks-blitz = Blitz
app-clocks-live = Direct
app-clocks-daily = Par jour
app-standings-empty = Personne n’a encore terminé de partie de ce jeu.
app-plot-skill = Force estimée, et degré de certitude. La cote est l’extrémité basse de chaque trait.
app-rank = Rang
app-rating = Cote
app-rating-rose = gagne { $by }, à présent { $rating }
app-rating-fell = perd { $by }, à présent { $rating }
app-rating-sense = On commence à 0. Elle monte surtout en battant des joueurs mieux cotés.
app-rating-provisional = provisoire : elle varie beaucoup pendant encore quelques parties
app-rating-course = Dernières parties
app-rating-line =
  { $matches ->
    [one] 1 partie, de { $first } à { $last }
   *[other] { $matches } parties, de { $first } à { $last }
  }
app-played = Jouées
app-wins = Gagnées
app-last-played = Dernière partie
app-opponents = Adversaires
app-ahead = Devant
app-level = À égalité
app-behind = Derrière
app-last-matches = Dernières parties
app-all-matches = Toutes les parties

# === Operators ===

app-tab-matches = Parties
app-tab-players = Joueurs
app-tab-search = Recherche
app-tab-projections = Projections
app-tab-subscriptions = Abonnements
app-tab-platform = Plateforme
app-tab-acts = Interventions
app-tab-live = En ce moment
app-acts-lead = Ce que les exploitants et la plateforme ont changé, le plus récent d’abord. Rien n’en est changé ni retiré plus tard.
app-acts-empty = Il n’y a pas de telles interventions.
app-act-kind = Intervention
app-act-actor = Par
app-act-outcome = Issue
app-act-installation = L’installation
app-act-done = Faite
app-act-unchanged = Rien à changer
app-act-failed = Échouée
app-act-unknown = En cours, ou inconnue
app-actor-command-line = Un exploitant, en ligne de commande
app-actor-service = Le service
app-actor-platform = La plateforme
app-actor-operator = Un exploitant, avec une clé
app-operator-key = Clé d’un exploitant
app-operator-key-help = Pour toutes les plateformes. croupier operator key en crée une. Elle est oubliée avec cette page.
app-operator-key-use = Utiliser la clé
app-operator-key-used = La clé d’un exploitant est utilisée.
app-operator-key-forget = Oublier la clé
app-operator-key-refused = Cette clé n’est pas acceptée.
app-players-lead = Ce que la plateforme a d’un joueur, sous son propre identifiant.
app-players-show = Afficher
app-players-results = Résultats et classements
app-players-entries = Entrées du joueur, par jeu
app-players-sign-out = Révoquer les jetons du joueur
app-players-sign-out-sure = Révoquer tous les jetons de ce joueur ? Qui joue avec l’un d’eux devra se reconnecter. Les jetons d’une seule place restent valables.
app-players-signed-out = Tous les jetons du joueur jusqu’ici sont révoqués.
app-players-erase = Effacer le joueur
app-players-erase-sure = Effacer ce joueur de toutes les parties ? Les noms et les messages sont perdus pour toujours. Les résultats restent, sous un pseudonyme.
app-players-erased = Le joueur a été effacé.
app-players-unknown = La plateforme ne connaît personne sous cet identifiant. Ses jetons, s’il y en avait, sont révoqués.
app-players-browsers = Navigateurs avertis des tours
app-players-no-browsers = Aucun navigateur n’est averti.
app-players-browser = De toutes les parties, inscrit
app-players-browser-of = D’une partie, inscrit
app-live-lead = Ce que fait en ce moment le processus qui répond, pour toutes les plateformes. Il y faut la clé d’un exploitant.
app-live-process = Processus
app-live-stop = Arrêter
app-live-go-on = Continuer
app-live-calls = Appels par seconde
app-live-refused = Appels refusés par seconde
app-live-failed = Appels échoués par seconde
app-live-entries = Entrées enregistrées par seconde
app-live-shed = Actions écartées par seconde
app-live-streams = Flux ouverts
app-live-matches = Parties en mémoire
app-live-database = Connexions occupées à la base
app-live-lag = Entrées qui manquent aux projections
app-live-agents = En attente des agents
app-live-most = Au plus { $most } ces cinq dernières minutes
app-live-chart = { $title } : { $now } maintenant, de { $least } à { $most } ces cinq dernières minutes
app-live-age = depuis { $seconds } s
app-order = Ordre
app-order-newest = Les plus récentes d’abord
app-order-deadline = Échéance la plus proche d’abord
app-tag = Étiquette
app-seating = Places
app-last-entry = Dernière entrée
app-actions = Actions
app-pause = Suspendre
app-pause-sure = Suspendre cette partie ? Ses joueurs ne peuvent agir avant qu’elle reprenne.
app-resume = Reprendre
app-end = Terminer
app-end-sure = Terminer cette partie sans résultat ? C’est irréversible.
app-delete = Supprimer
app-entries-of = Entrées : { $game }
app-entries-empty = Il ne s’est encore rien passé.
app-entry-untold = Rien que ce spectateur puisse savoir.
app-viewer = Vu par
app-viewer-spectator = Les spectateurs
app-viewer-seat = Place { $seat } : { $player }
app-viewer-house = La maison, qui voit tout
app-table-then = La table à ce moment
app-message = Message
app-search-lead = Entrées de toutes les parties d’un jeu, la plus récente d’abord.
app-search-empty = Aucune entrée ne correspond.
app-verb = Action
app-piece = Pièce
app-announcement = Annonce
app-round = Manche
app-value-min = Valeur minimale
app-value-max = Valeur maximale
app-projections-lead = Ce que le service déduit de toutes les parties, pour répondre aux questions qui les traversent. Cela suit le registre de soi-même.
app-projection-current = À jour
app-projection-lag = { $entries ->
    [one] { $entries } entrée de retard
   *[other] { $entries } entrées de retard
  }
app-behind-since = Depuis
app-rebuilds = Reconstructions
app-rebuilding = En reconstruction
app-subscriptions-lead = À qui l’on dit ce qui se passe dans toutes les parties.
app-webhooks-more = Comment fonctionnent les webhooks
app-subscriptions-empty = Il n’y a pas encore d’abonnement.
app-subscription = Abonnement
app-subscription-new = Nouvel abonnement
app-subscription-create = Créer l’abonnement
app-subscription-delete-sure = Supprimer cet abonnement ? Sa position est perdue.
app-all-subscriptions = Tous les abonnements
app-name = Nom
app-endpoint = Point d’accès
app-endpoint-help = Où le service envoie les entrées. Laissez vide pour un consommateur à vous.
app-only-new = Seulement ce qui arrive désormais
app-consumed = Consommé par la plateforme
app-consumers = { $consumers ->
    [0] Aucun consommateur
    [one] { $consumers } consommateur
   *[other] { $consumers } consommateurs
  }
app-consumed-by = Consommateurs
app-nobody = Personne pour l’instant
app-selects = Sélectionne
app-selects-all = Tout
app-push-healthy = Livré
app-push-failing = En échec
app-push-disabled = Abandonné
app-failing-since = En échec depuis
app-last-error = Dernière erreur
app-next-attempt = Prochain essai
app-disabled = Abandonné
app-secret-once = Le secret qui signe les messages de l’abonnement { $name }. Conservez-le maintenant : il ne sera plus affiché.
app-secret-expires = Les secrets antérieurs expirent
app-test = Envoyer un essai
app-redeliver = Envoyer ce qui attend
app-redeliver-sure = Envoyer maintenant tout ce qui attend ? Le destinataire est peut-être occupé.
app-rotate = Nouveau secret
app-rotate-sure = Signer avec un nouveau secret ? L’actuel signe aussi pendant encore un jour.
app-deliveries = Envois
app-deliveries-empty = Rien n’a encore été envoyé.
app-time = Heure
app-attempt = Essai
app-answer = Réponse
app-no-answer = Aucune
app-duration = Durée
app-send-again = Renvoyer
app-send-again-sure = Envoyer de nouveau ce message et tout ce qui suit ?
app-limits = Limites
app-limits-help = Ce que la plateforme peut utiliser. Les exploitants le changent avec croupier platform limits.
app-limit = Limite
app-limit-used = Utilisé
app-limit-value = Au plus
app-limit-by = Fixée par
app-limit-operator = Un exploitant
app-limit-default = Le service
app-keys = Clés d’API
app-keys-help = Les exploitants les créent et les révoquent avec croupier platform.
app-key = Clé
app-key-valid = Valable
app-key-revoked = Révoquée

# === Être averti de son tour ===

app-tell = M’avertir quand c’est mon tour
app-tell-no = Non merci
app-tell-stop = Ne plus m’avertir
app-tell-done = Ce navigateur vous avertit quand c’est votre tour.
app-tell-failed = Ce navigateur ne peut pas être averti des tours.
app-tell-again = Proposer à nouveau de m’avertir
app-quiet = Heures calmes
app-quiet-start = de
app-quiet-end = à
app-quiet-help = Pendant ces heures, ce navigateur n’annonce aucun tour ; à leur fin, il annonce tous ceux qui attendent.
app-quiet-refused = Ces heures calmes ne sont pas possibles. Elles durent au plus 20 heures.
app-device-play = Jouer sur cet appareil, sans le service
app-device-title = Jouer sur cet appareil
app-device-lead = Les règles et les bots sont dans ce navigateur. Aucun réseau n’est nécessaire, et rien n’est envoyé.
app-device-go-on = Continuer
app-device-ended = Joué ici
app-device-guest = Invité
app-device-forget = Oublier
app-device-forget-match = Oublier la partie de { $game }
app-device-forget-sure = Oublier cette partie, qui n’est pas terminée ?
app-device-leave = Jouer avec le service
app-device-here = Sur cet appareil
app-device-kept = Ce navigateur garde la partie. On peut continuer après avoir fermé la page.
app-device-verify = L’enregistrement
app-device-verify-how = Cet appareil a distribué, et tout enregistré. Vérifiez l’enregistrement ici, ou gardez-le : tout vérificateur lit le fichier.
app-give = Le service
app-give-how = Donnez cette partie au service : il la rejoue selon ses propres règles, et la garde dans l’historique de { $player }. Elle ne compte pour aucun classement.
app-give-how-guest = Donnez cette partie au service : il la rejoue selon ses propres règles, et la garde dans votre historique. Elle ne compte pour aucun classement.
app-give-now = Donner cette partie au service
app-giving = Le service la rejoue…
app-given = Le service a cette partie.
app-given-look = La voir là-bas
app-give-sign-in = Une fois connecté, vous pouvez donner cette partie au service.
