// Words and letters that tell English from other languages. All are in lower case, without accents.

/** Small words of languages that people write to services, in some twenty languages of Latin letters, without those that English has, too. */
const FOREIGN_WORDS = `
el los las una del que con por para como pero muy esta este esto mi su sus lo al cuando donde porque tambien hola gracias quiero puedo tengo tiene
estan fue hasta desde entre yo eso esa nadie ahora hace buenas dias cada otra otro ser nos soy todavia nunca siempre aqui mucho mucha han ni sin
sobre les unos usted ustedes necesito nada algo pueden os um uma nao dos das em ja meu minha seu sua voce voces isso ele ela foi eu quero tenho tem
sao mais bom obrigado ola pelo pela tambem quando onde agora ainda muito muita estou nem mas pra vou preciso depois sem essa esse le la des un une
et est pas ne qui dans vous nous je tu il elle sur pour avec mon ton ma mes votre vos notre ce cette ces sont ou au aux du tout tres bien bonjour merci
depuis quand ete etre fait leur puis chez comme rien encore toujours jamais suis avez ont peut quelqu sa ses moi cest gli della dello delle dei di
che sono ci piu anche questo questa mio mia suo era nel nella alla dal dalla ancora dopo grazie ciao buongiorno vorrei posso molto tutto adesso
sempre perche cosa hanno siete essere quanto abbiamo der und ist ich nicht ein eine einen einem einer mein meine meinen mit von zu zum zur auf sie
wir es dem den auch noch nur schon aber oder wie habe haben kann kein keine sind wird wurde bei nach vom bitte danke hallo sehr mehr dass wenn weil
immer ihr euch uns mich mir dir er heute jetzt ihre werden konnen fur hatte warum wo gibt ihnen het een niet ik en de dat voor mijn op te zijn ook
naar maar bij nog wel geen heb heeft hebben jullie wij zij deze dit als om uit kunnen wordt meer graag goed bedankt alles weer veel steeds wat
waarom zeer jag och att det inte har ett som pa av mitt fran nu vad hur ingen mig dig tack hej mycket efter nar eller aven skulle kommer vill bara
denna kan ar hon detta varfor jeg og ikke af til hvad hvor hvornar hvorfor nogle gange ogsa blev bliver igen kun skal meget mange gerne vil ham
hende hva dere fra noen etter ble blir gjerne takk deg ei se etta ole oli mutta niin mina sina minun olen olette onko voi voitte kiitos hei mita
miksi missa joka ovat myos vain nyt jo viela kanssa kuin tama sen siita jos tai jalkeen haluan eika mika mulla minulla sita az hogy egy csak ez azt
mar mert vagy ki lehet kerem koszonom szeretnem nagyon mikor miert volt nincs vissza ezt nekem napot lesz bir bu icin cok degil daha ama var yok
olarak gibi kadar sonra siz bana lutfen tesekkurler merhaba nasil neden hic simdi sey olan oldu bile beni bunu hala yang dan saya ini itu dengan
untuk tidak dari sudah belum akan ada pada juga bisa kami anda karena tapi kalau lagi mau terima kasih tolong sangat harus apa bagaimana kenapa gak
udah atau dalam oleh ke ga nya aku toi khong cua va cho nhung duoc cac mot nguoi nay khi trong da roi anh chua vui xin chao bi nhu gi minh thi na ya
wa kwa za katika kuwa hii yangu yako hapa sana lakini kama bado kila habari asante tafadhali mimi wangu zangu nina hakuna moja ili hiyo hivyo nini
gani naomba cha vya kwenye ang ng mga ko po hindi ako ay si nang kayo niyo lang siya ito kung mo namin ninyo walang wala gusto salamat opo ba din
rin naman kasi dito yung nila els amb vull aquest aquesta molt gracies bon dia encara quan fins vaig meva pe cu mai foarte sunt nici pentru fost
acest vreau multumesc buna ziua cand cum unde dar daca prin sau ati imi nie jest ze jak ale czy od tym moje moj prosze dzien dobry juz tak bardzo
przez dla lub oraz mam tylko kiedy dlaczego gdzie dziekuje byl byla jestem nic mnie neni jsem jste jsou uz bylo prosim velmi muj nebo kdyz proc kde
jen jako ktery dekuji jsme
`.trim();

/** Frequent words of English that other languages hardly have. */
const ENGLISH_WORDS = `
the and you that with this have are not your they can just would what there about when get up out how why who which their them our his she could
should than then some any because please it's don't i'm can't didn't im dont very only more one new after before again still here now like need good
make does did its off other too back also where these those never every down first even first time really
`.trim();

/** Frequent words of English that other languages have, too. */
const SHARED_WORDS = `
a i in is no do to so me as an on was want or over all at he her had been most will by must it be we per solo from into were men for of has us am if
but my
`.trim();

/**
 * Three letters in a row, "_" for the beginning or end of a word, by what they say: much more frequent in other languages than in English, more frequent,
 * less, much less. In the repository, `bench/languages/trigrams.py` makes them.
 */
const TRIGRAMS: { readonly [says in "muchMore" | "more" | "less" | "muchLess"]: string } = {
  muchMore: `
_av_ay_az_cs_de_e__ee_eg_ei_er_es_et_gm_ik_il_je_ji_ka_kh_km_ko_kr_kt_ku_kw_l__mg_mj_mk_mw_nc_ng_nh_o__ob_od_og_os_sv_sz_ui_um_ut_v__va_vu_vy_w__wy
_y__ya_z__za_zuaa_aakaanaaraatabaacaadaadoaf_afiagyah_ahaai_aisajaak_akaakoaktalaamaanganhanlanzao_asaataau_av_ayaaz_ba_bahbenbiebirbolbu_buabylca_
caochtci_ciocsacu_czecznda_daddaldandasde_deldetdi_dnidosdt_du_dziebeebuec_egoegyehoei_eisej_ekaektenhenyerderkeruesaeszeu_ez_ezeezifanfodfoifraga_
gelgemgi_gkagmigrugyeha_habhethueidoie_ieciejiemieuig_igeii_iinijkik_ikaikiikkikuilainhipiiquiriisaiskiwaiyoja_je_jedji_jibjinka_kabkaikalkankapkar
kaskatkazki_kiekimkkeklako_koakolkomkonkorkozkrakrekseksikt_ktektoku_kulkunkuukuwkwaky_la_laalahlaklallamlekli_lijliylozlskltaluilyama_maambambrmel
mgami_miemjimkomo_mu_mujmwana_nacnaknasnayncanejneknemnennganggnh_ni_nieniknlanosnsansknyanycnyenyinzaoa_oaiochodnodzofaog_oi_omuos_oscoszovaowaowy
ozopa_padpakpelpilprzra_rakreirekri_rikro_rskrtoruprzesa_sebsegsi_siesiksjoskaskiskoskysvesyoszaszeszosztta_taatadtamtaotasteitektetti_tiitiktt_tu_
tuktulua_uecueiui_ujiuliuluumaumoun_unaunguonupauruutautouu_uwauyeva_vanvarvetvnivonvuowa_wakwapwiewodwojya_yanychyenyikyofza_zanzenzerzetzi_ziozna
zo_zon
`,
  more: `
_au_bi_ce_da_di_du_el_en_ja_ke_ki_la_lu_na_ni_oc_ol_pa_pe_pi_po_qu_sa_si_sk_ta_te_un_ve_vi_voacialealiambanaanianoansapaar_araariasiatoazibanceache
co_denderdesdiedirdo_ea_edeegieinek_el_eleellelsem_emeen_enaeneengenienserieroesiet_etaeteeurgangengiohi_ia_idaienieriliim_inainiio_ir_iscitaitoken
ladlanlarlenlerligllallelo_metmunnanncindandenelnianisno_ntantentoolaoloomaongonipolqueranrasregrenronrtesanschsensk_skessastetaltantarte_tentretro
ttaue_ul_um_une
`,
  less: `
_a__ab_ac_ag_an_as_at_be_bo_bu_by_cl_cr_dr_ex_fe_fi_fo_go_ha_he_hi_ho_i__in_is_lo_mo_no_or_ou_pl_re_wa_wiactad_ageainakeallandappas_aseassat_ateave
ay_be_blecalcancatce_ck_ctidy_ealecoectee_esseveey_forge_hashenhinic_iceid_iesikein_ingionis_ishit_ivekinll_lowmbeme_ncenedneens_nt_ntsoldomeon_one
onsor_orkoseou_oveplarchrd_rearedrn_romrs_seeserso_soussist_tioto_ts_ty_untureustve_verwer
`,
  muchLess: `
_ea_ev_if_it_kn_m__mr_my_of_on_ot_ow_s__sh_t__th_to_tw_up_us_we_wh_wo_wr_ye_yoablaboackaidaryathaysbacbeebooboubutby_caucouct_ctsdaydeddgeds_eacead
eameareaseated_eedeekeepelpeoperyethew_extfe_feeff_firfoufrofulgh_ghtgoogs_hadhathavhe_heahedherhesheyhichishoohouhowhroht_if_ighirsithityjuskedkno
ks_ld_lealf_lifllyloolsoly_ms_my_nd_newnk_nlynotnownthof_offoinonloodookooloplot_othougoulounourousoutow_ownpeopleps_reerlyrourthry_sayseasedsh_she
shoss_ststchtedth_thathethithothrtlytootwoughuldup_useut_uthwaswaywe_weewhawhewhiwhowinwitwn_wo_worwouwriws_xt_yeayouys_
`,
};

/** Evidence of a word for another language: negative for English. Fitted on texts of `bench/languages`. */
const FOREIGN_WORD = 1.6;
const ENGLISH_WORD = -2.6;
const SHARED_WORD = -0.7;
/** "it's", "I'll". */
const ENGLISH_ENDING = -1;
const OTHER_SCRIPT = 3;
const ACCENTED = 1.2;
const MUCH = 0.8;
const SOME = 0.4;
/** Letters alone never say more. */
const MAX_LETTERS = 1.5;

/**
 * A capital may begin a name, and names are of any language. Three capitals in a row are one, and a text with a capital at most words is made of them: an
 * address, a title.
 */
const NAME = 0.6;
const AMONG_NAMES = 0.2;
const TITLED = 0.6;
/** Of a small word inside a name: "Juan de la Cruz". */
const PARTICLE = 0.4;

/** Evidence that it takes to begin in another language, to change between it and English, and to end in it. */
const BEGIN = 1.5;
const CHANGE = 3;
const END = 1;

/** From this share of a text's letters on, what is in another language matters. */
const FOREIGN_SHARE = 0.4;
/** Where more is in English than this leaves, and in a list, two words must be sure signs: dishes have foreign names. */
const NEARLY_ALL = 0.9;
const SURE_SIGNS = 2;

/** Less of a dump's letters look like English. */
const ENGLISH_SHARE = 0.25;

/** Of a long text, parts are read: so many, of so many characters, evenly spaced. */
const PARTS = 8;
const PART_CHARACTERS = 1000;

const listed = (words: string): string[] => words.split(/\s+/u);
const trigrams = (text: string): string[] => text.match(/\S{3}/gu) ?? [];

const WORDS = new Map([
  ...listed(FOREIGN_WORDS).map((word) => [word, FOREIGN_WORD] as const),
  ...listed(ENGLISH_WORDS).map((word) => [word, ENGLISH_WORD] as const),
  ...listed(SHARED_WORDS).map((word) => [word, SHARED_WORD] as const),
]);
const LETTERS = new Map([
  ...trigrams(TRIGRAMS.muchMore).map((letters) => [letters, MUCH] as const),
  ...trigrams(TRIGRAMS.more).map((letters) => [letters, SOME] as const),
  ...trigrams(TRIGRAMS.less).map((letters) => [letters, -SOME] as const),
  ...trigrams(TRIGRAMS.muchLess).map((letters) => [letters, -MUCH] as const),
]);

/** A link, a path, a call: a sign between letters, as in `app.run(x)`. */
const CODE = /[\w)][./(=_@:\\]+\w/u;
const NOT_LATIN = /(?!\p{sc=Latin})\p{L}/u;
/** Of scripts without spaces, or with long words: a letter is worth more. */
const DENSE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu;
const CAPITAL = /^\p{Lu}/u;
/** Most words, which need no closer look. */
const SMALL_LETTERS = /^[a-z]+$/;
const NAME_PARTICLE = /^(?:de|la|las|los|el|del|di|da|dos|das|der|den|von|van|zu|le|les|du|des|al|y)$/iu;
/** The same before a name alone: "rue de Paris". German ones stand before any noun. */
const PLACE_PARTICLE = /^(?:de|la|las|los|el|del|di|da|dos|le|les|du|des|al|van)$/iu;
/** Letters that have no form without their accent. */
const PLAIN: { readonly [letter: string]: string } = { ł: "l", ø: "o", đ: "d", ı: "i", ß: "ss", æ: "ae", œ: "oe" };

interface Evidence {
  readonly score: number;
  /** How much of the text it is. */
  readonly letters: number;
  /** Whether it says more than letters in a row can: a small word, an accent, another script. */
  readonly isSure: boolean;
}

/**
 * Whether a text, or so much of it that reading it matters, is in another language than English: two fifths of its letters or more. By the text alone, in
 * time that grows with its length, and of a long text by parts of it. Short texts are English unless they say something else.
 */
export function isForeign(text: string): boolean {
  const sample = sampleOf(text);
  const words = evidenceOf(sample);
  const foreign = foreignAmong(words);
  const share = lettersOf(foreign) / lettersOf(words);
  if (!(share >= FOREIGN_SHARE)) return false;
  if (share >= NEARLY_ALL && !isList(sample, words.length)) return true;
  return foreign.filter(({ isSure }) => isSure).length >= SURE_SIGNS;
}

/** Whether a text is English for the most part that can be told from codes: its words say so, and are a quarter of its letters or more. Short texts may be neither. */
export function isEnglish(text: string): boolean {
  const sample = sampleOf(text);
  const words = evidenceOf(sample);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const total = words.reduce((sum, { score }) => sum + score, 0);
  return total < 0 && lettersOf(words.filter(({ score }) => score < 0)) >= ENGLISH_SHARE * letters;
}

function sampleOf(text: string): string {
  if (text.length <= PARTS * PART_CHARACTERS) return text;
  const step = (text.length - PART_CHARACTERS) / (PARTS - 1);
  return Array.from({ length: PARTS }, (_, i) => text.slice(Math.floor(i * step), Math.floor(i * step) + PART_CHARACTERS)).join(" ");
}

/** Whether every second word is set off. */
function isList(text: string, words: number): boolean {
  return 2 * (text.match(/[,;|]/gu)?.length ?? 0) >= words;
}

function evidenceOf(text: string): Evidence[] {
  const chunks = text.split(/\s+/u).filter((chunk) => !CODE.test(chunk) || NOT_LATIN.test(chunk));
  const words = chunks.join(" ").match(WORD) ?? [];
  const isShouted = !words.some((word) => /\p{Ll}/u.test(word));
  const spelled = words.filter((word) => /^\p{L}/u.test(word));
  const isTitled = spelled.filter((word) => CAPITAL.test(word)).length > TITLED * spelled.length;
  const isCapital = (word: string | undefined): boolean => !isShouted && word !== undefined && CAPITAL.test(word);
  let isInName = false;
  return words.map((word, i): Evidence => {
    if (SMALL_LETTERS.test(word) && !NAME_PARTICLE.test(word)) {
      isInName = false;
      return smallLetters(word);
    }
    const isOfName = PLACE_PARTICLE.test(word) && isCapital(words[i + 1]);
    const isParticle = NAME_PARTICLE.test(word) && (isInName || isOfName || (isCapital(word) && i > 0));
    isInName = isCapital(word) || (isParticle && isInName);
    if (/\p{N}/u.test(word)) return { score: 0, letters: 0, isSure: false };
    if (NOT_LATIN.test(word)) return otherScript(word);
    // "US", "IT".
    if (!isShouted && /^\p{Lu}{2,3}$/u.test(word)) return { score: 0, letters: word.length, isSure: false };
    if (!isCapital(word)) return latin(word, isParticle ? PARTICLE : 1, 1);
    const isAmongNames = isTitled || [-2, -1, 0].some((first) => [0, 1, 2].every((n) => isCapital(words[i + first + n])));
    return latin(word, isParticle || isAmongNames ? PARTICLE : 1, isAmongNames ? AMONG_NAMES : NAME);
  });
}

function otherScript(word: string): Evidence {
  const isDense = DENSE.test(word);
  return {
    score: OTHER_SCRIPT * (isDense ? Math.max(1, word.length / 2) : 1),
    letters: (isDense ? 3 : 1) * word.length,
    isSure: true,
  };
}

/** As `latin` of a word that stands in no name. */
function smallLetters(word: string): Evidence {
  const known = WORDS.get(word);
  if (known !== undefined) return { score: known, letters: word.length, isSure: known === FOREIGN_WORD };
  return { score: withinLimits(lettersIn(word)), letters: word.length, isSure: false };
}

const withinLimits = (sum: number): number => Math.max(-MAX_LETTERS, Math.min(MAX_LETTERS, sum));

/** @param ofKnown what a small word is worth here, 0 to 1 @param ofLetters what any other is worth */
function latin(word: string, ofKnown: number, ofLetters: number): Evidence {
  const plain = plainOf(word);
  const known = WORDS.get(plain);
  if (known !== undefined) return { score: ofKnown * known, letters: word.length, isSure: ofKnown * known === FOREIGN_WORD };
  if (/'(?:s|t|re|ve|ll|d|m)$/u.test(plain)) return { score: ENGLISH_ENDING, letters: word.length, isSure: false };
  const sum = plain.split("'").reduce((total, part) => total + lettersIn(part), 0);
  const isAccented = /[^\p{ASCII}’]/u.test(word);
  const score = withinLimits(sum) + (isAccented ? ACCENTED : 0);
  return { score: ofLetters * score, letters: word.length, isSure: isAccented && ofLetters === 1 };
}

function plainOf(word: string): string {
  const letters = word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  return letters.replaceAll("’", "'").replace(/[łøđıßæœ]/gu, (letter) => PLAIN[letter] ?? letter);
}

function lettersIn(part: string): number {
  const whole = `_${part}_`;
  let sum = 0;
  for (let i = 0; i + 3 <= whole.length; i++) sum += LETTERS.get(whole.slice(i, i + 3)) ?? 0;
  return sum;
}

/** Those words that the likeliest course of languages has in another one than English: the best path of two states (Viterbi 1967). */
function foreignAmong(words: readonly Evidence[]): Evidence[] {
  let [english, foreign] = [0, -BEGIN];
  const steps = words.map(({ score }) => {
    const step = { toEnglish: foreign - CHANGE > english, toForeign: english - CHANGE > foreign };
    [english, foreign] = [Math.max(english, foreign - CHANGE), Math.max(foreign, english - CHANGE) + score];
    return step;
  });
  let isIn = foreign - END > english;
  const isForeignAt = words.map(() => false);
  for (let i = words.length - 1; i >= 0; i--) {
    isForeignAt[i] = isIn;
    const step = steps[i];
    if (isIn ? step?.toForeign : step?.toEnglish) isIn = !isIn;
  }
  return words.filter((_, i) => isForeignAt[i]);
}

function lettersOf(words: readonly Evidence[]): number {
  return words.reduce((sum, { letters }) => sum + letters, 0);
}
