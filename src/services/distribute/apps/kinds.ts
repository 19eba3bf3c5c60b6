/** One node of the category tree: two roots (apps, games), categories below, tags below those. */
export interface Kind {
  id: number
  parentId: number | null
  zh: string
  en: string
  ru: string
}

type Branch = readonly [id: number, zh: string, en: string, ru: string, tags: readonly Leaf[]]
type Leaf = readonly [zh: string, en: string, ru: string]

export const appRoot = 1
export const gameRoot = 2

const appBranches: readonly Branch[] = [
  [
    101,
    '实用工具',
    'Tools',
    'Инструменты',
    [
      ['系统工具', 'System tools', 'Системные'],
      ['文件管理', 'File managers', 'Файлы'],
      ['浏览器', 'Browsers', 'Браузеры'],
      ['输入法', 'Keyboards', 'Клавиатуры'],
      ['安全', 'Security', 'Безопасность'],
      ['计算与换算', 'Calculators', 'Калькуляторы'],
    ],
  ],
  [
    102,
    '社交通讯',
    'Social',
    'Общение',
    [
      ['即时通讯', 'Messaging', 'Мессенджеры'],
      ['社区', 'Communities', 'Сообщества'],
      ['交友', 'Meeting people', 'Знакомства'],
      ['邮箱', 'Mail', 'Почта'],
    ],
  ],
  [
    103,
    '影音娱乐',
    'Entertainment',
    'Развлечения',
    [
      ['视频', 'Video', 'Видео'],
      ['音乐', 'Music', 'Музыка'],
      ['直播', 'Live streaming', 'Стримы'],
      ['电台', 'Radio and podcasts', 'Радио и подкасты'],
    ],
  ],
  [
    104,
    '新闻阅读',
    'News and reading',
    'Новости и чтение',
    [
      ['新闻', 'News', 'Новости'],
      ['电子书', 'Books', 'Книги'],
      ['漫画', 'Comics', 'Комиксы'],
      ['杂志', 'Magazines', 'Журналы'],
    ],
  ],
  [
    105,
    '教育',
    'Education',
    'Образование',
    [
      ['语言', 'Languages', 'Языки'],
      ['学校', 'School', 'Школа'],
      ['职业', 'Professional', 'Профессии'],
      ['儿童', 'Children', 'Детям'],
    ],
  ],
  [
    106,
    '金融理财',
    'Finance',
    'Финансы',
    [
      ['银行', 'Banking', 'Банки'],
      ['支付', 'Payments', 'Платежи'],
      ['投资', 'Investing', 'Инвестиции'],
      ['记账', 'Budgeting', 'Учёт расходов'],
    ],
  ],
  [
    107,
    '购物',
    'Shopping',
    'Покупки',
    [
      ['商城', 'Stores', 'Магазины'],
      ['二手', 'Second hand', 'Б/у вещи'],
      ['优惠', 'Deals', 'Скидки'],
    ],
  ],
  [
    108,
    '出行导航',
    'Travel and navigation',
    'Поездки и навигация',
    [
      ['地图', 'Maps', 'Карты'],
      ['打车', 'Taxi', 'Такси'],
      ['票务', 'Tickets', 'Билеты'],
      ['酒店', 'Hotels', 'Отели'],
    ],
  ],
  [
    109,
    '运动健康',
    'Sport and health',
    'Спорт и здоровье',
    [
      ['健身', 'Fitness', 'Фитнес'],
      ['医疗', 'Medical', 'Медицина'],
      ['饮食', 'Nutrition', 'Питание'],
    ],
  ],
  [
    110,
    '拍摄美化',
    'Photo and video',
    'Фото и видео',
    [
      ['相机', 'Cameras', 'Камеры'],
      ['图片编辑', 'Photo editors', 'Фоторедакторы'],
      ['视频编辑', 'Video editors', 'Видеоредакторы'],
    ],
  ],
  [
    111,
    '商务办公',
    'Business',
    'Бизнес',
    [
      ['办公', 'Office', 'Офис'],
      ['笔记', 'Notes', 'Заметки'],
      ['会议', 'Meetings', 'Встречи'],
      ['项目管理', 'Project management', 'Проекты'],
    ],
  ],
  [
    112,
    '便捷生活',
    'Lifestyle',
    'Стиль жизни',
    [
      ['天气', 'Weather', 'Погода'],
      ['美食', 'Food', 'Еда'],
      ['家居', 'Home', 'Дом'],
      ['汽车', 'Cars', 'Автомобили'],
    ],
  ],
  [
    113,
    '主题个性',
    'Personalisation',
    'Оформление',
    [
      ['壁纸', 'Wallpapers', 'Обои'],
      ['桌面', 'Launchers', 'Лаунчеры'],
      ['铃声', 'Ringtones', 'Рингтоны'],
    ],
  ],
  [
    114,
    '开发者工具',
    'Developer tools',
    'Разработчикам',
    [
      ['测试', 'Testing', 'Тестирование'],
      ['终端', 'Terminals', 'Терминалы'],
      ['编辑器', 'Editors', 'Редакторы'],
    ],
  ],
]

const gameBranches: readonly Branch[] = [
  [
    201,
    '休闲益智',
    'Casual and puzzle',
    'Казуальные и головоломки',
    [
      ['消除', 'Match', 'Три в ряд'],
      ['解谜', 'Puzzle', 'Головоломки'],
      ['文字', 'Word', 'Слова'],
      ['跑酷', 'Runner', 'Раннеры'],
    ],
  ],
  [
    202,
    '角色扮演',
    'Role playing',
    'Ролевые',
    [
      ['多人在线', 'Massively multiplayer', 'Многопользовательские'],
      ['回合制', 'Turn based', 'Пошаговые'],
      ['动作角色', 'Action role playing', 'Ролевые боевики'],
    ],
  ],
  [
    203,
    '动作射击',
    'Action and shooting',
    'Боевики и стрелялки',
    [
      ['射击', 'Shooter', 'Стрелялки'],
      ['格斗', 'Fighting', 'Драки'],
      ['冒险', 'Adventure', 'Приключения'],
    ],
  ],
  [
    204,
    '策略经营',
    'Strategy and simulation',
    'Стратегии и симуляторы',
    [
      ['即时策略', 'Real time', 'В реальном времени'],
      ['塔防', 'Tower defence', 'Защита башен'],
      ['模拟经营', 'Simulation', 'Симуляторы'],
    ],
  ],
  [
    205,
    '体育竞速',
    'Sport and racing',
    'Спорт и гонки',
    [
      ['竞速', 'Racing', 'Гонки'],
      ['球类', 'Ball games', 'Игры с мячом'],
    ],
  ],
  [
    206,
    '棋牌桌游',
    'Card and board',
    'Карточные и настольные',
    [
      ['纸牌', 'Cards', 'Карты'],
      ['棋类', 'Board', 'Настольные'],
    ],
  ],
  [
    207,
    '儿童益智',
    'Children',
    'Детские',
    [
      ['学习', 'Learning', 'Учёба'],
      ['绘画', 'Drawing', 'Рисование'],
    ],
  ],
]

function grow(root: number, branches: readonly Branch[]): Kind[] {
  return branches.flatMap(([id, zh, en, ru, tags]) => [
    { id, parentId: root, zh, en, ru },
    ...tags.map(([tagZh, tagEn, tagRu], index) => ({
      id: id * 100 + index + 1,
      parentId: id,
      zh: tagZh,
      en: tagEn,
      ru: tagRu,
    })),
  ])
}

export const kinds: readonly Kind[] = [
  { id: appRoot, parentId: null, zh: '应用', en: 'Apps', ru: 'Приложения' },
  ...grow(appRoot, appBranches),
  { id: gameRoot, parentId: null, zh: '游戏', en: 'Games', ru: 'Игры' },
  ...grow(gameRoot, gameBranches),
]

const byId = new Map(kinds.map(kind => [kind.id, kind]))

/** The root, category and tag above and including a kind; undefined when there is no such kind. */
export function lineOf(id: number): Kind[] | undefined {
  const line: Kind[] = []
  for (let kind = byId.get(id); kind; kind = kind.parentId === null ? undefined : byId.get(kind.parentId)) {
    line.unshift(kind)
  }
  return line.length > 0 ? line : undefined
}

/** Whether a kind is of games. */
export function isGameKind(id: number): boolean {
  return lineOf(id)?.[0]?.id === gameRoot
}

/** Whether a kind is a tag, the level an app chooses. */
export function isTag(id: number): boolean {
  return lineOf(id)?.length === 3
}
