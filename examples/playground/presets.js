// @ts-check
// The requests to start from. They show what the model does well, and the last one what it hands to a person.
// A test asks the model all of them, and knows the right answers.

/**
 * @typedef {{ type: "choice" | "noul" | "score", instructions: string, criteria?: unknown }} PresetQuestion
 * @typedef {{ title: string, state: string | object, questions: { [id: string]: PresetQuestion } }} Preset
 */

/** @type {readonly Preset[]} the page opens with the first one */
export const presets = [
  {
    title: "Support ticket: charged twice",
    state:
      "I was charged twice for order 58213. This is the third time I am writing about it and I am really angry! I want my money back this week.\n\nDana Whitfield",
    questions: {
      team: {
        type: "choice",
        instructions: "Which team should handle this?",
        criteria: {
          billing: "payments, invoices and refunds",
          technical: "the app is broken or slow",
          sales: "wants to buy or to upgrade",
          account_access: "cannot log in",
        },
      },
      money_back: { type: "noul", instructions: "Does the customer want money back?" },
      order_number: { type: "noul", instructions: "Is there an order number in the message?" },
      mood: { type: "score", instructions: "What is the customer's mood?", criteria: ["happy", "neutral", "angry"] },
    },
  },
  {
    title: "Contact form: a lead, as data",
    state: {
      name: "Marta Kowalczyk",
      company: "Baltic Freight",
      email: "m.kowalczyk@balticfreight.example",
      phone: "+48 58 555 01 23",
      message:
        "We would like to buy your route planner for 80 drivers. Please send me a price for the yearly plan. When could you show us a demo?",
    },
    questions: {
      topic: {
        type: "choice",
        instructions: "What does the sender want?",
        criteria: {
          offer: "a price, a quote or a demo",
          help: "help with a problem",
          job: "to apply for a job",
          refund: "money back",
        },
      },
      email: { type: "noul", instructions: "Does the message contain an e-mail address?" },
      demo: { type: "noul", instructions: "Does the sender want a demo?" },
      interest: {
        type: "score",
        instructions: "How interested is the sender in buying?",
        criteria: ["not interested", "somewhat interested", "very interested"],
      },
    },
  },
  {
    title: "Inbox: is this spam?",
    state:
      "CONGRATULATIONS! You have won a FREE iPhone and a $1,000 gift card! Click here to claim your prize before midnight: http://win-big-today.example/claim. Only 3 left! Reply STOP to unsubscribe.",
    questions: {
      folder: {
        type: "choice",
        instructions: "Which folder does this message belong in?",
        criteria: { spam: null, work: null, family: null, receipts: null },
      },
      spam: { type: "noul", instructions: "Is this advertising or a scam?" },
      link: { type: "noul", instructions: "Does the message contain a link?" },
      invoice: { type: "noul", instructions: "Is this an invoice?" },
    },
  },
  {
    title: "App store: a bad review",
    state:
      "Terrible since the last update. The app crashes every time I open the camera and it eats my battery. I have reinstalled it twice. Very disappointed, I want my old version back.",
    questions: {
      about: {
        type: "choice",
        instructions: "What is the review mainly about?",
        criteria: {
          crash: "the app crashes or freezes",
          price: "the app costs too much",
          design: "how the app looks",
          support: "nobody answers",
        },
      },
      rating: { type: "score", instructions: "How does the reviewer find the app?", criteria: ["bad", "average", "excellent"] },
      price: { type: "noul", instructions: "Is the review about the price?" },
      sentiment: {
        type: "choice",
        instructions: "Is the review positive or negative?",
        criteria: { positive: null, negative: null },
      },
    },
  },
  {
    title: "Help desk: locked out",
    state:
      "Hello, I have forgotten my password and now my account is locked after too many attempts. Could you please reset it? Thank you very much! Aisha",
    questions: {
      problem: {
        type: "choice",
        instructions: "Which kind of problem is it?",
        criteria: {
          hardware: "a printer, a screen or another device is broken",
          password: "a password is forgotten or an account is locked",
          network: "the internet or the wifi does not work",
          software: "a program crashes or must be installed",
        },
      },
      locked: { type: "noul", instructions: "Is the account locked?" },
      complaint: { type: "noul", instructions: "Is this a complaint?" },
      polite: { type: "score", instructions: "How polite is the message?", criteria: ["rude", "neutral", "polite"] },
    },
  },
  {
    title: "Dentist: a message on the phone",
    state:
      "Hello, this is Lena Hart. I have an appointment for a check-up on Thursday at 4 but my son is ill. Could we move it to next week, please? Tuesday or Wednesday after 3 would be perfect. Thank you!",
    questions: {
      intent: {
        type: "choice",
        instructions: "What does the patient want?",
        criteria: {
          book: "a first appointment",
          reschedule: "another time for an appointment",
          cancel: "no appointment any more",
          prescription: "a prescription",
        },
      },
      appointment: { type: "noul", instructions: "Does the message mention an appointment?" },
      bill: { type: "noul", instructions: "Is it about a bill?" },
      tone: {
        type: "choice",
        instructions: "What is the tone of the message?",
        criteria: { angry: null, friendly: null, neutral: null },
      },
      polite: { type: "score", instructions: "How polite is the message?", criteria: ["rude", "neutral", "polite"] },
    },
  },
  {
    title: "School: an e-mail to the form teacher",
    state:
      "Dear Mrs Okafor,\n\nJonas has had a temperature since last night and will stay at home today and probably tomorrow. Could you please tell us which pages he should work on in maths? He is sorry to miss the trip to the planetarium.\n\nThank you and kind regards\nMiriam Weiss",
    questions: {
      purpose: {
        type: "choice",
        instructions: "What is the e-mail mainly about?",
        criteria: {
          sick_note: "the child is ill and stays at home",
          complaint: "the parent is unhappy with something",
          meeting_request: "the parent wants to talk in person",
          school_fees: "payments and invoices",
        },
      },
      subject: {
        type: "choice",
        instructions: "Which subject is mentioned?",
        criteria: { maths: null, English: null, music: null, sports: null },
      },
      fees: { type: "noul", instructions: "Does the e-mail mention school fees?" },
      polite: { type: "score", instructions: "How polite is the e-mail?", criteria: ["rude", "neutral", "polite"] },
    },
  },
  {
    title: "Restaurant: a review",
    state:
      "What a lovely evening! The waiter was friendly and quick, the lamb was the best I have had in years, and the bread is baked in-house. Not cheap, 61 euros a head with wine, but worth every cent. We will be back soon.",
    questions: {
      food: { type: "score", instructions: "How does the guest find the food?", criteria: ["bad", "average", "excellent"] },
      service: { type: "score", instructions: "How does the guest find the service?", criteria: ["bad", "average", "excellent"] },
      guest: {
        type: "choice",
        instructions: "How does the guest sound?",
        criteria: { disappointed: null, delighted: null, indifferent: null },
      },
      parking: { type: "noul", instructions: "Does the review mention parking?" },
    },
  },
  {
    title: "News desk: sort a story",
    state:
      "Geneva – A team at the particle physics laboratory CERN has for the first time moved a cloud of antiprotons across the site in a lorry. The magnetic trap kept the particles in place for the whole four-kilometre trip, the researchers report. The aim is to carry antimatter to laboratories in other European cities, where it can be measured far more precisely than beside the accelerator that makes it.",
    questions: {
      section: {
        type: "choice",
        instructions: "Which section does this story belong to?",
        criteria: { politics: null, business: null, science: null, sport: null, culture: null, travel: null },
      },
      laboratory: { type: "noul", instructions: "Does the story mention a laboratory?" },
      tone: {
        type: "choice",
        instructions: "What is the tone of the text?",
        criteria: { factual: null, emotional: null, humorous: null },
      },
    },
  },
  {
    title: "Lease: a question for a person",
    state:
      "§ 12 Repairs. (1) The landlord keeps the heating, the water pipes and the roof in working order at his own cost. (2) The tenant bears the cost of small repairs to parts he touches every day, such as taps, switches and door handles, up to 110 euros for each repair and 6 % of the yearly rent in all. (3) Damage is to be reported in writing without delay. A tenant who reports late is liable for what becomes worse meanwhile.",
    questions: {
      topic: {
        type: "choice",
        instructions: "What does this clause regulate?",
        criteria: { "rent increase": null, "repairs and maintenance": null, termination: null, deposit: null, subletting: null },
      },
      pets: { type: "noul", instructions: "Does the clause mention pets?" },
      tap: {
        type: "choice",
        instructions: "Who pays for a dripping tap that costs 60 euros to repair?",
        criteria: { landlord: null, tenant: null },
      },
    },
  },
];
